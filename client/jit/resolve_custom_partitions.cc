#include "client/jit/resolve_custom_partitions.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/jit/custom_partition_calls.h"
#include "client/jit/shard_map_call.h"
#include "client/partitioning/mesh_context.h"
#include "client/tracer/trace.h"
#include "client/tracer/trace_function.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/ops/collectives/channel_handle.h"
#include "runtime/passes/import/import_passes.h"
#include "runtime/passes/import/module_mesh.h"
#include "runtime/passes/import/op_walk.h"
#include "runtime/passes/partition/passes.h"
#include "runtime/passes/partition/value_sharding.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kOperation = "custom_partitioning";

// What the callback of a call is told.
struct PropagatedCall {
  std::vector<ShardedShape> args;
  std::vector<ShardedShape> results;
};

// Up to the first axis of a dimension that is split into parts, or does not
// divide what the axes before it leave.
absl::StatusOr<ShardedShape> ShardedShapeOf(const Value* value,
                                            const std::string& symbol,
                                            const Mesh& mesh) {
  const TensorSharding sharding = ShardingOfValue(value, symbol);
  const Shape& shape = value->shape();
  std::vector<SpecEntry> entries;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    std::vector<std::string> names;
    int64_t shards = 1;
    for (const AxisRef& axis : sharding.dims[d].axes) {
      if (!axis.is_whole()) break;
      shards *= axis.Size(mesh.abstract());
      if (shape.dim(d) % shards != 0) break;
      names.push_back(axis.name());
    }
    if (names.empty()) {
      entries.emplace_back(nullptr);
    } else if (names.size() == 1) {
      entries.emplace_back(names[0]);
    } else {
      entries.emplace_back(AxisTuple(std::move(names)));
    }
  }
  ASSIGN_OR_RETURN(NamedSharding named,
                   NamedSharding::Create(
                       mesh, PartitionSpec::FromEntries(std::move(entries))));
  return ShardedShape{shape, std::move(named)};
}

// By number, behind the propagation of the program as it is.
absl::StatusOr<std::vector<PropagatedCall>> PropagateProgram(
    const JitProgram& program) {
  const std::unique_ptr<Module> module = CloneModule(*program.module);
  PassManager passes;
  AddImportPasses(passes);
  passes.Add(PropagateShardings());
  RETURN_IF_ERROR(passes.Run(*module));
  ASSIGN_OR_RETURN(const ModuleMesh mesh, MeshOfModule(*module));
  std::vector<PropagatedCall> calls(program.custom_partitions->size());
  RETURN_IF_ERROR(ForEachOp(*module, [&](Op& op) -> absl::Status {
    const std::optional<int64_t> number = CustomPartitionNumber(op);
    if (!number.has_value()) return absl::OkStatus();
    PropagatedCall& call = calls[static_cast<size_t>(*number)];
    for (const Value* operand : op.operands()) {
      ASSIGN_OR_RETURN(ShardedShape shape,
                       ShardedShapeOf(operand, mesh.name, program.mesh));
      call.args.push_back(std::move(shape));
    }
    for (const auto& result : op.results()) {
      ASSIGN_OR_RETURN(ShardedShape shape,
                       ShardedShapeOf(result.get(), mesh.name, program.mesh));
      call.results.push_back(std::move(shape));
    }
    return absl::OkStatus();
  }));
  return calls;
}

absl::StatusOr<CustomPartition> Ask(const CustomPartitionCall& call,
                                    const Mesh& mesh,
                                    const PropagatedCall& known) {
  try {
    return call.definition->partition(mesh, known.args, known.results);
  } catch (const std::exception& exception) {
    return absl::UnknownError(
        absl::StrCat("partition threw \"", exception.what(), "\""));
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is cancelled
  } catch (...) {
    return absl::UnknownError(
        "partition threw something that is no std::exception");
  }
}

std::vector<Shape> ShapesOf(const std::vector<ShardedShape>& values) {
  std::vector<Shape> shapes;
  for (const ShardedShape& value : values) shapes.push_back(value.shape);
  return shapes;
}

absl::StatusOr<int64_t> LargestChannel(const Module& module) {
  int64_t largest = 0;
  RETURN_IF_ERROR(ForEachOp(module, [&](Op& op) -> absl::Status {
    ASSIGN_OR_RETURN(const ChannelHandle channel, ChannelHandleOf(op));
    largest = std::max(largest, channel.id);
    return absl::OkStatus();
  }));
  return largest;
}

// One call on shards.
class ShardedCall {
 public:
  ShardedCall(const CustomPartitionCall& call, const Mesh& mesh,
              const PropagatedCall& known)
      : call_(call), mesh_(mesh), known_(known) {}

  absl::Status AskForPartition() {
    ASSIGN_OR_RETURN(partition_, Ask(call_, mesh_, known_));
    if (partition_.lower_fn.is_null()) {
      return absl::InvalidArgumentError(
          "partition: expected a lower_fn, found none");
    }
    if (partition_.mesh.has_value() && *partition_.mesh != mesh_) {
      return absl::UnimplementedError(absl::StrCat(
          "partition: expected the mesh of the program, ", mesh_.ToString(),
          ", found ", partition_.mesh->ToString()));
    }
    std::optional<Mesh> mesh = mesh_;
    RETURN_IF_ERROR(AddMesh("arg_shardings", partition_.arg_shardings, mesh));
    RETURN_IF_ERROR(
        AddMesh("result_shardings", partition_.result_shardings, mesh));
    const std::vector<Shape> results = ShapesOf(known_.results);
    ASSIGN_OR_RETURN(const auto specs,
                     MatchSpecs("result_shardings", partition_.result_shardings,
                                call_.results, results, mesh_));
    for (size_t i = 0; i < results.size(); ++i) {
      if (!specs[i].has_value()) {
        return absl::InvalidArgumentError(
            absl::StrCat("result_shardings: expected a sharding for result ", i,
                         ", of type ", results[i].ToString(), ", found none"));
      }
      ASSIGN_OR_RETURN(NamedSharding sharding,
                       NamedSharding::Create(mesh_, *specs[i]));
      ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                       sharding.ShardShape(results[i].dims()));
      shardings_.push_back(std::move(sharding));
      ASSIGN_OR_RETURN(shards_.emplace_back(),
                       Shape::Create(results[i].element_type(), dims));
    }
    return absl::OkStatus();
  }

  // As a manual computation of whole arrays; its channels come after `channels`
  // and its callbacks, if it has any, behind `callbacks`.
  absl::StatusOr<TracedFunction> Traced(
      int64_t channels, const std::shared_ptr<const HostCallbacks>& callbacks) {
    ShardMapSpecs specs;
    specs.mesh = mesh_;
    specs.in = partition_.arg_shardings;
    specs.out = JitShardings(
        call_.results.Transform([&](size_t leaf, const std::string&) {
          return JitSharding(shardings_[leaf]);
        }));
    specs.options.check_replication = partition_.check_replication;
    specs.names = {kOperation, "arg_shardings", "result_shardings"};
    const MeshContext context(mesh_);
    const CustomPartitionCalls::Scope none(nullptr);
    const auto function = [&](const std::vector<Tensor>& inputs) {
      Trace& trace = *Trace::Current();
      for (int64_t i = 0; i < channels; ++i) trace.NextChannel();
      for (int64_t i = 0; callbacks != nullptr && callbacks->Find(i) != nullptr;
           ++i) {
        trace.AddCallback(*callbacks->Find(i));
      }
      std::optional<Trace::MeshAxesScope> axes;
      if (call_.axes.is_mesh) axes.emplace(trace, call_.axes);
      return ShardMapCall(specs, call_.place, inputs, call_.arguments)
          .Run([&](const std::vector<Tensor>& shards) {
            return JitTraced{OnShards(trace, shards), call_.results, nullptr};
          });
    };
    return TraceFunctionOnMesh(kOperation, mesh_, ShapesOf(known_.args),
                               function);
  }

 private:
  // The results of lower_fn; poisoned after an error.
  std::vector<Tensor> OnShards(Trace& trace,
                               const std::vector<Tensor>& shards) const {
    absl::StatusOr<std::vector<Tensor>> results = partition_.lower_fn(shards);
    const absl::Status status =
        results.ok() ? CheckShards(*results) : results.status();
    if (status.ok()) return *std::move(results);
    trace.Fail(AtCall(call_.place, kOperation, status));
    return std::vector<Tensor>(shards_.size());
  }

  absl::Status CheckShards(const std::vector<Tensor>& results) const {
    if (results.size() != shards_.size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "lower_fn: expected ", shards_.size(),
          " results, as the function has, found ", results.size()));
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].is_poisoned() || results[i].shape() == shards_[i]) {
        continue;
      }
      return absl::InvalidArgumentError(absl::StrCat(
          "lower_fn: result ", i, ": expected ", shards_[i].ToString(),
          ", the shard of ", known_.results[i].shape.ToString(), " by ",
          shardings_[i].spec().ToString(), ", found ",
          results[i].shape().ToString()));
    }
    return absl::OkStatus();
  }

  const CustomPartitionCall& call_;
  const Mesh& mesh_;
  const PropagatedCall& known_;
  CustomPartition partition_;
  // Of the results, and what they make of them.
  std::vector<NamedSharding> shardings_;
  std::vector<Shape> shards_;
};

class Resolver {
 public:
  Resolver(JitProgram program, std::vector<PropagatedCall> known)
      : program_(std::move(program)), known_(std::move(known)) {}

  absl::StatusOr<JitProgram> Run() && {
    std::unique_ptr<Module> module = CloneModule(*program_.module);
    ASSIGN_OR_RETURN(channels_, LargestChannel(*module));
    ASSIGN_OR_RETURN(Function * entry, module->EntryFunction());
    RETURN_IF_ERROR(Resolve(entry->body()));
    program_.module = std::move(module);
    program_.custom_partitions = nullptr;
    return std::move(program_);
  }

 private:
  absl::Status Resolve(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      RemapOperands(*op, map_);
      const std::optional<int64_t> number = CustomPartitionNumber(*op);
      if (number.has_value()) {
        RETURN_IF_ERROR(Replace(*op, *number, region));
        replaced_.push_back(std::move(op));
        continue;
      }
      for (const auto& inner : op->regions()) {
        RETURN_IF_ERROR(Resolve(*inner));
      }
      region.Append(std::move(op));
    }
    return absl::OkStatus();
  }

  absl::Status Replace(const Op& op, int64_t number, Region& region) {
    const CustomPartitionCall& call = program_.custom_partitions->at(number);
    ShardedCall sharded(call, program_.mesh,
                        known_[static_cast<size_t>(number)]);
    const absl::Status status = sharded.AskForPartition();
    if (!status.ok()) return AtCall(call.place, kOperation, status);
    ASSIGN_OR_RETURN(const TracedFunction traced,
                     sharded.Traced(channels_, program_.callbacks));
    if (traced.callbacks != nullptr) program_.callbacks = traced.callbacks;
    ASSIGN_OR_RETURN(const int64_t channel, LargestChannel(*traced.module));
    channels_ = std::max(channels_, channel);
    const Region& body = traced.module->FindFunction("main")->body();
    ValueMap inside;
    for (int i = 0; i < op.operand_count(); ++i) {
      inside.Set(body.arguments()[i].get(), op.operand(i));
    }
    for (const auto& inner : body.ops()) {
      if (inner.get() == body.terminator()) continue;
      region.Append(CloneOp(*inner, inside));
    }
    for (int i = 0; i < op.result_count(); ++i) {
      map_.Set(op.result(i), inside.Find(body.terminator()->operand(i)));
    }
    return absl::OkStatus();
  }

  JitProgram program_;
  const std::vector<PropagatedCall> known_;
  int64_t channels_ = 0;
  // From results of calls to those that stand for them. The calls are kept, for
  // their addresses.
  ValueMap map_;
  std::vector<std::unique_ptr<Op>> replaced_;
};

}  // namespace

absl::StatusOr<JitProgram> ResolveCustomPartitions(JitProgram program) {
  if (program.custom_partitions == nullptr) return program;
  ASSIGN_OR_RETURN(std::vector<PropagatedCall> known,
                   PropagateProgram(program));
  return Resolver(std::move(program), std::move(known)).Run();
}

}  // namespace lockstep::internal
