// Collectives that say for each dimension which axes it gets or loses.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/ops/sdy/all_reduce.h"
#include "runtime/ops/sdy/collective_checks.h"
#include "runtime/ops/sdy/collective_form.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {
namespace {

using DimAxes = std::vector<std::vector<AxisRef>>;

struct Collective {
  absl::string_view name;
  // The attribute with the axes of each dimension.
  absl::string_view axes;
  // They are at the end of those of the operand; else of the result.
  bool removes = false;
  bool allows_missing_sharding = false;
  bool reduces = false;
};
constexpr Collective kAllGather = {"sdy.all_gather", "gathering_axes",
                                   /*removes=*/true};
constexpr Collective kAllSlice = {"sdy.all_slice", "slicing_axes",
                                  /*removes=*/false,
                                  /*allows_missing_sharding=*/true};
constexpr Collective kReduceScatter = {"sdy.reduce_scatter",
                                       "reduce_scatter_axes",
                                       /*removes=*/false,
                                       /*allows_missing_sharding=*/true,
                                       /*reduces=*/true};
constexpr Collective kShardedToUnreduced = {"sdy.sharded_to_unreduced", "axes",
                                            /*removes=*/true};

absl::Status CheckDims(const Op& op, const Collective& collective,
                       const DimAxes& axes,
                       const CollectiveShardings& shardings) {
  RETURN_IF_ERROR(CheckAxisLists(op, collective.axes, axes, shardings.mesh));
  const AbstractMesh& mesh = shardings.mesh.abstract();
  for (int64_t dim = 0; dim < shardings.in.rank(); ++dim) {
    const std::vector<AxisRef>& have = shardings.in.dims[dim].axes;
    std::vector<AxisRef> expected;
    if (collective.removes) {
      ASSIGN_OR_RETURN(expected, WithoutSuffix(op, collective.axes, dim, have,
                                               axes[dim], mesh));
    } else {
      expected = WithSuffix(have, axes[dim], mesh);
    }
    RETURN_IF_ERROR(CheckOutAxes(op, dim, expected, shardings));
  }
  return absl::OkStatus();
}

absl::Status CheckUnreduced(const Op& op, const DimAxes& axes,
                            const CollectiveShardings& shardings) {
  std::vector<AxisRef> moved;
  for (const std::vector<AxisRef>& dim : axes) {
    moved.insert(moved.end(), dim.begin(), dim.end());
  }
  RETURN_IF_ERROR(CheckOutUnreduced(
      op, UnionOf(shardings.in.unreduced, moved, shardings.mesh.abstract()),
      shardings));
  return CheckOutReduction(op, "sum", shardings);
}

absl::Status VerifyDimCollective(const Op& op, const Collective& collective) {
  ASSIGN_OR_RETURN(const DimAxes axes, DimAxesAttribute(op, collective.axes));
  ASSIGN_OR_RETURN(
      const std::optional<CollectiveShardings> shardings,
      CheckCollective(
          op, {.allows_missing_sharding = collective.allows_missing_sharding}));
  if (collective.reduces) RETURN_IF_ERROR(AllReduceCombiner(op).status());
  if (!shardings.has_value()) return absl::OkStatus();
  const auto rank = static_cast<size_t>(shardings->in.rank());
  if (axes.size() != rank) {
    return op.Error(absl::StrCat(collective.axes, ": expected ", rank,
                                 " lists of axes, one for each dimension, "
                                 "found ",
                                 axes.size()));
  }
  if (collective.reduces) {
    RETURN_IF_ERROR(CheckReducedAxes(op, ReductionOf(op), *shardings));
  }
  RETURN_IF_ERROR(CheckDims(op, collective, axes, *shardings));
  return collective.name == kShardedToUnreduced.name
             ? CheckUnreduced(op, axes, *shardings)
             : absl::OkStatus();
}

OpDef DimCollective(const Collective& collective) {
  AssemblyForm form;
  form.parse = [collective](AssemblyReader& reader, OpState& state) {
    if (collective.reduces) {
      RETURN_IF_ERROR(ReadReductionUnless("[", reader, state));
    }
    ASSIGN_OR_RETURN(Attribute axes, ReadDimAxes(reader));
    state.attributes.Set(collective.axes, std::move(axes));
    return ReadOperandAndOutSharding(reader, state);
  };
  form.print = [collective](const Op& op, AssemblyWriter& writer) {
    if (collective.reduces) WriteReduction(op, writer);
    const DimAxes axes = *DimAxesAttribute(op, collective.axes);
    writer.Write(absl::StrCat(" ", ToSdyString(axes)));
    WriteOperandAndOutSharding(op, {collective.axes, kReductionAttribute},
                               writer);
  };
  return OpDef(std::string(collective.name), OpKind::kSharding)
      .Assembly(std::move(form))
      .Infer(InferOperandType)
      .Verify([collective](const Op& op) {
        return VerifyDimCollective(op, collective);
      })
      .Evaluate(EvaluateOperand);
}

// all_gather: its operand, whose dimensions are split by fewer axes.
//   gathering_axes: of each dimension, the last of those that it has.
//   out_sharding: what is left.
REGISTER_OP(DimCollective(kAllGather));

// all_slice: its operand, whose dimensions are split by more axes.
//   slicing_axes: of each dimension, those that follow the ones it has.
REGISTER_OP(DimCollective(kAllSlice));

// reduce_scatter: a slice of the sum (or another reduction) of the partial
// results that the devices along axes have.
//   reduce_scatter_axes: of each dimension, those that follow the ones it has.
//   reduction: as that of all_reduce.
REGISTER_OP(DimCollective(kReduceScatter));

// sharded_to_unreduced: its operand, of which devices that had shards along
// axes have partial sums: what was not in their shards is zero.
//   axes: of each dimension, the last of those that it has.
//   out_sharding: what is left, and unreduced along the axes.
REGISTER_OP(DimCollective(kShardedToUnreduced));

}  // namespace
}  // namespace lockstep::internal
