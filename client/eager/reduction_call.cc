#include "client/eager/reduction_call.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/eager/operation_call.h"
#include "client/eager/operation_program.h"
#include "client/eager/reduction_layout.h"
#include "client/global_arrays/array_assembly.h"
#include "client/tracer/collectives.h"
#include "client/tracer/elementwise.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"

namespace lockstep::internal {
namespace {

// The one axis of TraceEager's programs.
constexpr char kDevices[] = "devices";

const char* Name(EagerReduction kind) {
  switch (kind) {
    case EagerReduction::kSum:
      return "sum";
    case EagerReduction::kMean:
      return "mean";
    case EagerReduction::kMax:
      return "max";
    case EagerReduction::kMin:
      return "min";
    case EagerReduction::kAny:
      return "any";
    case EagerReduction::kAll:
      return "all";
  }
  return "reduction";
}

bool IsNarrowFloat(ElementType type) {
  return IsSmallFloat(type) || (IsFloat(type) && ByteSize(type) < 4);
}

// Traced: what this copy has of the result; of all copies of its group, where
// there are groups.
class ReductionTrace {
 public:
  ReductionTrace(EagerReduction kind, ReducedDims dims, bool keep_dims,
                 ReplicaGroups groups)
      : kind_(kind),
        dims_(std::move(dims)),
        keep_dims_(keep_dims),
        groups_(std::move(groups)) {}

  Tensor operator()(const Operand& x) const {
    const SourceLocation& at = x.location();
    const ElementType type = x.tensor().dtype();
    switch (kind_) {
      case EagerReduction::kMax:
        return OfGroup(pmax, max(x, dims_, keep_dims_), at);
      case EagerReduction::kMin:
        return OfGroup(pmin, min(x, dims_, keep_dims_), at);
      case EagerReduction::kAny:
        return OfTruths(pmax, any(x, dims_), at);
      case EagerReduction::kAll:
        return OfTruths(pmin, all(x, dims_), at);
      case EagerReduction::kSum:
      case EagerReduction::kMean:
        break;
    }
    const bool is_sum = kind_ == EagerReduction::kSum;
    const auto reduce = [&](const Operand& part) {
      return is_sum ? sum(part, dims_, keep_dims_)
                    : mean(part, dims_, keep_dims_);
    };
    // Rounded to a narrow type once, at the end, however many devices there
    // are.
    if (!groups_.empty() && IsNarrowFloat(type)) {
      const Tensor wide = reduce({astype(x, ElementType::kF32), at});
      return astype({OfGroup(is_sum ? psum : pmean, wide, at), at}, type);
    }
    return OfGroup(is_sum ? psum : pmean, reduce(x), at);
  }

 private:
  using Collective = Tensor (*)(const Operand&, const AxisNames&,
                                const ReduceOptions&);

  Tensor OfGroup(Collective collective, const Tensor& part,
                 const SourceLocation& at) const {
    if (groups_.empty()) return part;
    return collective({part, at}, kDevices, {groups_});
  }
  Tensor OfTruths(Collective collective, const Tensor& part,
                  const SourceLocation& at) const {
    if (groups_.empty()) return part;
    return OfGroup(collective, astype(part, ElementType::kS32), at) != 0;
  }

  const EagerReduction kind_;
  const ReducedDims dims_;
  const bool keep_dims_;
  const ReplicaGroups groups_;
};

EagerOperation OperationOf(EagerReduction kind, const ReducedDims& dims,
                           bool keep_dims, ReplicaGroups groups) {
  return {Name(kind),
          [trace = ReductionTrace(kind, dims, keep_dims, std::move(groups))](
              const std::vector<Operand>& x) { return trace(x[0]); }};
}

// Of an array on devices.
class ReductionCall {
 public:
  ReductionCall(EagerReduction kind, const ArrayOperand& x,
                const ReducedDims& dims, bool keep_dims)
      : kind_(kind),
        x_(x.array()),
        at_(x.location()),
        dims_(dims),
        keep_dims_(keep_dims) {}

  Array Run() {
    view_ = x_.shards()->live_view();
    if (view_ == nullptr) {
      return Array::Failed(absl::FailedPreconditionError(absl::StrCat(
          Name(kind_), ": the cluster of the operand ",
          x_.sharding().ToString(), " is not connected any more")));
    }
    devices_ = x_.sharding().devices();
    absl::StatusOr<Array> result = Reduced();
    if (result.ok()) return *std::move(result);
    // Other hosts make the call.
    if (!has_begun_) FailCall(*view_, Request(), result.status());
    return Array::Failed(result.status(), view_, devices_);
  }

 private:
  absl::StatusOr<Array> Reduced() {
    // What is wrong with the dimensions or the type is found here.
    const EagerOperation whole = OperationOf(kind_, dims_, keep_dims_, {});
    ASSIGN_OR_RETURN(const TracedFunction traced,
                     TraceEager(whole, {{x_.shape(), false, {}, at_}}, 1));
    ascending_.resize(x_.rank());
    std::iota(ascending_.begin(), ascending_.end(), 0);
    if (dims_.dims().has_value()) {
      ascending_ = AscendingDims(*dims_.dims(), x_.rank());
    }
    return x_.layout() != nullptr ? OverMesh(traced.results[0]) : OnRows();
  }

  absl::StatusOr<Array> OverMesh(const Shape& result) {
    ASSIGN_OR_RETURN(const ReductionLayout lies,
                     LayReduction(*x_.sharding().named(), x_.rank(), ascending_,
                                  keep_dims_));
    ASSIGN_OR_RETURN(
        auto layout,
        ArrayLayout::Create(lies.result, result.element_type(), result.dims()));
    if (AddressableDevices(*view_, lies.result.mesh()).empty()) {
      auto none = NoShards(view_.get(), layout->shard_shape());
      return Array(std::move(layout), std::move(none));
    }
    ASSIGN_OR_RETURN(std::shared_ptr<Shards> shards,
                     Launch(ascending_, lies.groups));
    return Array(std::move(layout), std::move(shards));
  }

  // A shard is a row, without the mapped dimension.
  absl::StatusOr<Array> OnRows() {
    RowPlacement placement = x_.placement();
    std::vector<int64_t> of_row = ascending_;
    if (placement.dim.has_value()) {
      const int64_t mapped = *placement.dim;
      if (std::count(of_row.begin(), of_row.end(), mapped) > 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            Name(kind_), ": dimension ", mapped, " of ",
            x_.sharding().ToString(),
            " is mapped over devices: reduce it in the mapped function (psum "
            "and others), or lay the array out over a mesh with device_put"));
      }
      int64_t before = 0;
      for (int64_t& dim : of_row) {
        if (dim > mapped) {
          --dim;
        } else {
          ++before;
        }
      }
      if (!keep_dims_) *placement.dim -= before;
    }
    ASSIGN_OR_RETURN(std::shared_ptr<Shards> shards, Launch(of_row, {}));
    return Array(std::move(shards), placement);
  }

  absl::StatusOr<std::shared_ptr<Shards>> Launch(
      const std::vector<int64_t>& dims_of_shard, ReplicaGroups groups) {
    const Shape& shard = x_.shards()->shape();
    const EagerOperation operation =
        OperationOf(kind_, dims_of_shard, keep_dims_, std::move(groups));
    return LaunchOperation(
        *view_, Request(),
        absl::StrCat("reduction ", Compared(), " ", shard.ToString()),
        Name(kind_),
        [&](int64_t copies) {
          return TraceEager(operation, {{shard, false, {}, at_}}, copies);
        },
        {x_.shards()}, &has_begun_);
  }

  // "sum(float32 (8, 4), dims=(0, 1))".
  std::string Text() const {
    return absl::StrCat(Name(kind_), "(", NumpyName(x_.dtype()), " ",
                        TupleText(x_.shape().dims()),
                        dims_.dims().has_value()
                            ? absl::StrCat(", dims=", TupleText(*dims_.dims()))
                            : "",
                        keep_dims_ ? ", keep_dims" : "", ")");
  }
  std::string Compared() const {
    return absl::StrCat(Text(), " of ", x_.sharding().ToString(), " on ",
                        IdsText(devices_));
  }
  CallRequest Request() const {
    return OperationRequest(Text(), Compared(), devices_);
  }

  const EagerReduction kind_;
  const Array& x_;
  const SourceLocation& at_;
  const ReducedDims& dims_;
  const bool keep_dims_;
  std::shared_ptr<View> view_;
  DeviceIds devices_;
  std::vector<int64_t> ascending_;  // those that are reduced
  bool has_begun_ = false;
};

}  // namespace

Array CallReduction(EagerReduction kind, const ArrayOperand& x,
                    const ReducedDims& dims, bool keep_dims) {
  if (!x.array().CheckUsable().ok()) return FailedAfter(x.array(), Name(kind));
  if (x.array().shards() != nullptr) {
    return ReductionCall(kind, x, dims, keep_dims).Run();
  }
  absl::StatusOr<Literal> value =
      EvaluateEager(OperationOf(kind, dims, keep_dims, {}), {x});
  return value.ok() ? Array(*std::move(value)) : Array::Failed(value.status());
}

}  // namespace lockstep::internal
