#include "runtime/ir/verifier.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/call_graph.h"
#include "runtime/ir/location.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/tile_assignment.h"

namespace lockstep::internal {
namespace {

// The op that ends the region.
absl::string_view ReturnIn(const Region& region) {
  if (region.parent_function() != nullptr) return "func.return";
  return absl::StartsWith(region.parent_op()->name(), "sdy.")
             ? "sdy.return"
             : "stablehlo.return";
}

// Checks the ops of one function, in their order.
class FunctionVerifier {
 public:
  absl::Status Check(const Function& function) {
    RETURN_IF_ERROR(CheckRegion(function.body(), function.location(), 1));
    return CheckReturn(function);
  }

 private:
  // Values of a region are visible in it and in the regions of its ops.
  absl::Status CheckRegion(const Region& region, const Location& location,
                           int depth) {
    if (depth > kMaxRegionDepth) {
      return InvalidAt(location,
                       absl::StrCat("expected at most ", kMaxRegionDepth,
                                    " nested regions, found more"));
    }
    if (region.ops().empty()) {
      return InvalidAt(location,
                       "expected a region that ends with a return, found an "
                       "empty one");
    }
    for (const auto& argument : region.arguments()) {
      visible_.insert(argument.get());
    }
    for (const auto& op : region.ops()) {
      RETURN_IF_ERROR(CheckOp(*op, op.get() == region.terminator(), depth));
    }
    for (const auto& argument : region.arguments()) {
      visible_.erase(argument.get());
    }
    for (const auto& op : region.ops()) {
      for (const auto& result : op->results()) visible_.erase(result.get());
    }
    return absl::OkStatus();
  }

  absl::Status CheckOp(const Op& op, bool is_last, int depth) {
    if (op.def() == nullptr) return op.Unimplemented("op is not supported");
    for (int i = 0; i < op.operand_count(); ++i) {
      if (!visible_.contains(op.operand(i))) {
        return op.Error(absl::StrCat(
            "operand ", i, ": expected a value that is defined before"));
      }
    }
    RETURN_IF_ERROR(CheckTerminator(op, is_last));
    for (const auto& region : op.regions()) {
      RETURN_IF_ERROR(CheckRegion(*region, op.location(), depth + 1));
    }
    if (op.def()->verify()) RETURN_IF_ERROR(op.def()->verify()(op));
    for (const auto& result : op.results()) visible_.insert(result.get());
    return absl::OkStatus();
  }

  absl::Status CheckTerminator(const Op& op, bool is_last) {
    if (!is_last && op.def()->is_terminator()) {
      return op.Error("expected to be the last op of its region");
    }
    if (!is_last) return absl::OkStatus();
    if (!op.def()->is_terminator()) {
      return op.Error("expected a return at the end of the region, found this");
    }
    const absl::string_view expected = ReturnIn(*op.parent());
    // Ops of other dialects may end their regions otherwise.
    if (op.name() == expected ||
        (expected == "stablehlo.return" && op.name() != "func.return" &&
         op.name() != "sdy.return")) {
      return absl::OkStatus();
    }
    return op.Error(
        absl::StrCat("expected ", expected, " here, found ", op.name()));
  }

  absl::Status CheckReturn(const Function& function) {
    const Op& terminator = *function.body().terminator();
    const std::vector<Type>& types = function.result_types();
    if (terminator.operands().size() != types.size()) {
      return terminator.Error(absl::StrCat(
          "expected ", types.size(), " values for the results of @",
          function.name(), ", found ", terminator.operands().size()));
    }
    for (size_t i = 0; i < types.size(); ++i) {
      const Type& found = terminator.operands()[i]->type();
      if (found == types[i]) continue;
      return terminator.Error(absl::StrCat(
          "operand ", i, ": expected type ", types[i].ToString(), " of result ",
          i, " of @", function.name(), ", found ", found.ToString()));
    }
    return absl::OkStatus();
  }

  absl::flat_hash_set<const Value*> visible_;
};

// Everything lives on the device; programs may say so.
absl::Status CheckMemoryKind(const Function& function,
                             const AttributeMap& attributes) {
  const Attribute* kind = attributes.Find("mhlo.memory_kind");
  if (kind == nullptr) return absl::OkStatus();
  const auto* name = kind->As<Attribute::String>();
  if (name != nullptr && name->value == "device") return absl::OkStatus();
  return ErrorAt(
      function.location(), absl::StatusCode::kUnimplemented,
      absl::StrCat("@", function.name(), ": mhlo.memory_kind ", Print(*kind),
                   " is not supported, only \"device\""));
}

absl::Status CheckMemoryKinds(const Function& function) {
  const int count = static_cast<int>(function.body().arguments().size());
  for (int i = 0; i < count; ++i) {
    RETURN_IF_ERROR(CheckMemoryKind(function, function.argument_attributes(i)));
  }
  for (const AttributeMap& attributes : function.result_attributes()) {
    RETURN_IF_ERROR(CheckMemoryKind(function, attributes));
  }
  return absl::OkStatus();
}

absl::Status CheckNames(const Module& module) {
  for (const auto& function : module.functions()) {
    if (module.FindFunction(function->name()) == function.get()) continue;
    return InvalidAt(
        function->location(),
        absl::StrCat("function @", function->name(), " is defined twice"));
  }
  return absl::OkStatus();
}

// Before everything else: ops are checked against the counts.
absl::Status CheckCounts(const Module& module) {
  ASSIGN_OR_RETURN(const int64_t replicas, module.ReplicaCount());
  ASSIGN_OR_RETURN(const int64_t partitions, module.PartitionCount());
  if (replicas <= TileAssignment::kMaxDevices / partitions) {
    return absl::OkStatus();
  }
  // The module has no place of its own.
  const Location location = module.functions().empty()
                                ? Location()
                                : module.functions()[0]->location();
  return InvalidAt(
      location,
      absl::StrCat("mhlo.num_replicas, mhlo.num_partitions: expected at most ",
                   TileAssignment::kMaxDevices, " devices, found ", replicas,
                   " replicas of ", partitions, " partitions"));
}

}  // namespace

absl::Status Verify(const Module& module) {
  RETURN_IF_ERROR(CheckCounts(module));
  RETURN_IF_ERROR(CheckNames(module));
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(CheckMemoryKinds(*function));
    RETURN_IF_ERROR(FunctionVerifier().Check(*function));
  }
  RETURN_IF_ERROR(CheckCalls(module));
  RETURN_IF_ERROR(VerifyShardings(module));
  return module.EntryFunction().status();
}

}  // namespace lockstep::internal
