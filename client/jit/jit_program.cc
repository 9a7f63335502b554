#include "client/jit/jit_program.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/jit/custom_partition_calls.h"
#include "client/partitioning/sharding_constraint.h"
#include "client/tracer/trace_function.h"
#include "client/trees/tree_prefix.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/partition/partition_module.h"

namespace lockstep::internal {
namespace {

using Specs = std::vector<std::optional<PartitionSpec>>;

// Of what shardings of other kinds say of themselves, the first.
absl::Status KindsOf(const JitShardings& shardings) {
  absl::Status status;
  shardings.tree().Transform(
      [&](const JitSharding& sharding, const std::string& path) {
        if (status.ok() && !sharding.status().ok()) {
          status = path.empty() ? sharding.status()
                                : Annotate(sharding.status(), path);
        }
        return 0;
      });
  return status;
}

// The sharding of a whole array that a spec means. What its axes do not divide
// no array can have.
absl::StatusOr<TensorSharding> ArraySharding(const Mesh& mesh,
                                             const std::string& symbol,
                                             const PartitionSpec& spec,
                                             const Shape& shape) {
  ASSIGN_OR_RETURN(const NamedSharding sharding,
                   NamedSharding::Create(mesh, spec));
  RETURN_IF_ERROR(sharding.ShardShape(shape.dims()).status());
  return ShardingOfSpec(symbol, spec, shape.rank());
}

// "['w'][0]": a place in a result, as JAX writes it.
std::string ResultInfo(const std::string& path) {
  std::string info;
  if (path.empty()) return info;
  for (absl::string_view key : absl::StrSplit(path, '/')) {
    int64_t index = 0;
    if (absl::SimpleAtoi(key, &index)) {
      absl::StrAppend(&info, "[", index, "]");
    } else {
      absl::StrAppend(&info, "['", key, "']");
    }
  }
  return info;
}

// The shortest spec that splits alike: arrays that programs return have others
// than those that users make, and the same programs.
PartitionSpec Shortest(const PartitionSpec& spec) {
  std::vector<SpecEntry> entries(spec.entries().begin(), spec.entries().end());
  for (SpecEntry& entry : entries) {
    if (entry.is_unconstrained()) continue;
    const absl::Span<const std::string> axes = entry.axes();
    if (axes.empty()) {
      entry = nullptr;
    } else if (axes.size() == 1) {
      entry = std::string(axes[0]);
    }
  }
  while (!entries.empty() && entries.back().is_null()) entries.pop_back();
  return PartitionSpec::FromEntries(std::move(entries));
}

std::vector<Shape> ShapesOf(const std::vector<ArgumentLeafValue>& leaves) {
  std::vector<Shape> shapes;
  for (const ArgumentLeafValue& leaf : leaves) {
    shapes.push_back(leaf.value.shape());
  }
  return shapes;
}

// What the shardings say of the tensors, as constraints.
absl::StatusOr<std::vector<Tensor>> Constrained(absl::string_view what,
                                                const JitShardings& shardings,
                                                const Tree<size_t>& structure,
                                                const Mesh& mesh,
                                                std::vector<Tensor> tensors) {
  std::vector<Shape> shapes;
  for (const Tensor& tensor : tensors) shapes.push_back(tensor.shape());
  ASSIGN_OR_RETURN(const Specs specs,
                   MatchSpecs(what, shardings, structure, shapes, mesh));
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (specs[i].has_value()) {
      tensors[i] = with_sharding_constraint(tensors[i], *specs[i]);
    }
  }
  return tensors;
}

}  // namespace

absl::Status AddMesh(absl::string_view what, const JitShardings& shardings,
                     std::optional<Mesh>& mesh) {
  absl::Status status;
  shardings.tree().Transform([&](const JitSharding& sharding,
                                 const std::string& path) {
    if (!sharding.mesh().has_value()) return 0;
    if (!mesh.has_value()) {
      mesh = sharding.mesh();
    } else if (*mesh != *sharding.mesh() && status.ok()) {
      status = absl::InvalidArgumentError(absl::StrCat(
          what, path.empty() ? "" : " at ", path,
          ": expected a sharding over the mesh of the program, ",
          mesh->ToString(), ", found one over ", sharding.mesh()->ToString(),
          mesh->abstract() == sharding.mesh()->abstract() ? " of other devices"
                                                          : ""));
    }
    return 0;
  });
  return status;
}

absl::StatusOr<std::optional<Mesh>> MeshOfCall(const JitOptions& options,
                                               const JitArguments& arguments) {
  std::optional<Mesh> mesh = options.mesh;
  RETURN_IF_ERROR(AddMesh("in_shardings", options.in_shardings, mesh));
  RETURN_IF_ERROR(AddMesh("out_shardings", options.out_shardings, mesh));
  RETURN_IF_ERROR(AddMesh("args_sharding_constraint",
                          options.args_sharding_constraint, mesh));
  if (mesh.has_value()) return mesh;
  if (global_mesh_defined()) return *global_mesh();
  for (const ArgumentLeafValue& leaf : arguments.leaves) {
    if (leaf.value.layout() != nullptr) return leaf.value.layout()->mesh();
  }
  return mesh;
}

absl::StatusOr<Specs> MatchSpecs(absl::string_view what,
                                 const JitShardings& shardings,
                                 const Tree<size_t>& structure,
                                 const std::vector<Shape>& shapes,
                                 const Mesh& mesh) {
  const absl::Status kinds = KindsOf(shardings);
  if (!kinds.ok()) return Annotate(kinds, what);
  const Tree<RuleOrSpec> rules = shardings.tree().Transform(
      [](const JitSharding& sharding, const std::string&) {
        return sharding.rule();
      });
  const Tree<Shape> shape_tree = structure.Transform(
      [&](size_t leaf, const std::string&) { return shapes[leaf]; });
  const absl::StatusOr<Tree<NamedSharding>> matched =
      MatchShardingRule(rules, shape_tree, mesh);
  if (!matched.ok()) return Annotate(matched.status(), what);
  Specs specs(shapes.size());
  RETURN_IF_ERROR(
      MapWithPrefix<bool>(structure, *matched,
                          [&](size_t leaf, const NamedSharding* sharding)
                              -> absl::StatusOr<bool> {
                            if (sharding != nullptr) {
                              specs[leaf] = sharding->spec();
                            }
                            return true;
                          })
          .status());
  return specs;
}

absl::StatusOr<Specs> ArgumentSpecs(const JitOptions& options,
                                    const JitArguments& arguments,
                                    const Mesh& mesh) {
  ASSIGN_OR_RETURN(Specs specs, MatchSpecs("in_shardings", options.in_shardings,
                                           arguments.structure,
                                           ShapesOf(arguments.leaves), mesh));
  for (size_t i = 0; i < specs.size(); ++i) {
    const auto& layout = arguments.leaves[i].value.layout();
    if (!specs[i].has_value() && layout != nullptr && layout->mesh() == mesh) {
      specs[i] = Shortest(layout->sharding().spec());
    }
  }
  return specs;
}

absl::StatusOr<JitProgram> TraceJit(const JitOptions& options,
                                    const JitArguments& arguments,
                                    const Mesh& mesh, const Specs& specs,
                                    const JitTrace& trace) {
  const MeshContext context(mesh, options.annotation_shardings);
  const std::vector<Shape> shapes = ShapesOf(arguments.leaves);
  std::vector<int> numbers;
  for (size_t i = 0; i < arguments.leaves.size(); ++i) {
    if (arguments.leaves[i].is_number) numbers.push_back(static_cast<int>(i));
  }
  JitTraced result;
  absl::Status constrained;
  auto custom_partitions = std::make_shared<CustomPartitionCalls>();
  const CustomPartitionCalls::Scope scope(custom_partitions.get());
  const auto function = [&](const std::vector<Tensor>& inputs) {
    absl::StatusOr<std::vector<Tensor>> tensors = Constrained(
        "args_sharding_constraint", options.args_sharding_constraint,
        arguments.structure, mesh, inputs);
    constrained = tensors.status();
    if (!tensors.ok()) return inputs;
    result = trace(*tensors);
    return std::move(result.tensors);
  };
  const absl::StatusOr<TracedFunction> traced = TraceFunctionOnMesh(
      ModuleName("jit", options.name), mesh, shapes, function, numbers);
  RETURN_IF_ERROR(constrained);
  RETURN_IF_ERROR(traced.status());
  ASSIGN_OR_RETURN(const Specs results,
                   MatchSpecs("out_shardings", options.out_shardings,
                              result.structure, traced->results, mesh));
  std::unique_ptr<Module> module = CloneModule(*traced->module);
  if (options.conservative_propagation) {
    module->attributes().Set(kConservativePropagation, Attribute::Unit());
  }
  Function& entry = *module->FindFunction("main");
  const std::string symbol = module->meshes().entries().front().first;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (!specs[i].has_value()) continue;
    auto sharding = ArraySharding(mesh, symbol, *specs[i], shapes[i]);
    if (!sharding.ok()) {
      return Annotate(sharding.status(),
                      absl::StrCat("argument ", arguments.leaves[i].path));
    }
    SetSharding(entry.argument_attributes()[i], *std::move(sharding));
  }
  std::vector<std::string> paths(results.size());
  result.structure.Transform([&](size_t leaf, const std::string& path) {
    paths[leaf] = path;
    return 0;
  });
  for (size_t i = 0; i < results.size(); ++i) {
    AttributeMap& attributes = entry.result_attributes()[i];
    attributes.Set("jax.result_info", Attribute::String{ResultInfo(paths[i])});
    if (!results[i].has_value()) continue;
    auto sharding =
        ArraySharding(mesh, symbol, *results[i], traced->results[i]);
    if (!sharding.ok()) {
      return Annotate(sharding.status(), absl::StrCat("result ", paths[i]));
    }
    SetSharding(attributes, *std::move(sharding));
  }
  if (custom_partitions->size() == 0) custom_partitions = nullptr;
  return JitProgram{std::move(module), traced->callbacks, mesh,
                    std::move(result.form), std::move(custom_partitions)};
}

absl::StatusOr<std::vector<Tensor>> InlineJit(
    const JitOptions& options, const Mesh* mesh,
    const std::vector<Tensor>& tensors, const Tree<size_t>& structure,
    const JitTrace& function) {
  ASSIGN_OR_RETURN(const std::optional<Mesh> given, MeshOfCall(options, {}));
  if (given.has_value()) mesh = &*given;
  if (mesh == nullptr) return function(tensors).tensors;
  std::optional<MeshContext> context;
  if (given.has_value() || !options.annotation_shardings.empty()) {
    context.emplace(*mesh, options.annotation_shardings);
  }
  ASSIGN_OR_RETURN(std::vector<Tensor> inputs,
                   Constrained("in_shardings", options.in_shardings, structure,
                               *mesh, tensors));
  ASSIGN_OR_RETURN(inputs, Constrained("args_sharding_constraint",
                                       options.args_sharding_constraint,
                                       structure, *mesh, std::move(inputs)));
  JitTraced traced = function(inputs);
  return Constrained("out_shardings", options.out_shardings, traced.structure,
                     *mesh, std::move(traced.tensors));
}

}  // namespace lockstep::internal
