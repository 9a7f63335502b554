#include "client/eager/array_slices.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "client/eager/operation_call.h"
#include "client/eager/operation_program.h"
#include "client/global_arrays/array_assembly.h"
#include "client/global_arrays/reshard_program.h"
#include "client/tracer/data_movement.h"
#include "client/tracer/emit.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"
#include "runtime/mesh/reshard_plan.h"

namespace lockstep {
namespace internal {
namespace {

constexpr char kSlice[] = "slice";

// Per dimension; strides are given.
struct Ranges {
  std::vector<int64_t> starts;
  std::vector<int64_t> limits;
  std::vector<int64_t> strides;
  std::optional<int64_t> dropped = {};  // a dimension of size 1

  bool IsCut(int64_t dim, int64_t size) const {
    return starts[dim] != 0 || limits[dim] != size || strides[dim] != 1;
  }
  void Erase(int64_t dim) {
    for (std::vector<int64_t>* list : {&starts, &limits, &strides}) {
      list->erase(list->begin() + dim);
    }
    if (dropped.has_value() && *dropped > dim) --*dropped;
  }
  // "[2:6, 0:4:2]".
  std::string ToString() const {
    std::string text;
    for (int64_t i = 0; i < static_cast<int64_t>(starts.size()); ++i) {
      absl::StrAppend(&text, i == 0 ? "[" : ", ", starts[i], ":", limits[i],
                      strides[i] == 1 ? "" : absl::StrCat(":", strides[i]));
      if (dropped == i) text += " dropped";
    }
    return text + "]";
  }
};

// `plan`: how the operand is resharded before it is cut; none: it lies as it
// should.
EagerOperation OperationOf(const Ranges& ranges,
                           const std::optional<ReshardPlan>& plan = {}) {
  return {kSlice, [ranges, plan](const std::vector<Operand>& x) {
            const SourceLocation& at = x[0].location();
            const Operand whole =
                plan.has_value()
                    ? Operand(ReshardedShard(*plan, x[0].tensor()), at)
                    : x[0];
            const Tensor part =
                slice(whole, ranges.starts, ranges.limits, ranges.strides);
            if (!ranges.dropped.has_value()) return part;
            return squeeze({part, at}, *ranges.dropped);
          }};
}

// Of an array on devices.
class SliceCall {
 public:
  SliceCall(const Array& x, Ranges ranges, const SourceLocation& location)
      : x_(x), ranges_(std::move(ranges)), at_(location) {}

  Array Run() {
    view_ = x_.shards()->live_view();
    if (view_ == nullptr) {
      return Array::Failed(absl::FailedPreconditionError(absl::StrCat(
          kSlice, ": the cluster of the operand ", x_.sharding().ToString(),
          " is not connected any more")));
    }
    devices_ = x_.sharding().devices();
    absl::StatusOr<Array> result = Sliced();
    if (result.ok()) return *std::move(result);
    // Other hosts make the call.
    if (!has_begun_) FailCall(*view_, Request(), result.status());
    return Array::Failed(result.status(), view_, devices_);
  }

 private:
  absl::StatusOr<Array> Sliced() {
    // What is wrong with the ranges is found here.
    ASSIGN_OR_RETURN(
        const TracedFunction traced,
        TraceEager(OperationOf(ranges_), {{x_.shape(), false, {}, at_}}, 1));
    return x_.layout() != nullptr ? OverMesh(traced.results[0]) : OnRows();
  }

  absl::StatusOr<Array> OverMesh(const Shape& result) {
    const NamedSharding& sharding = x_.layout()->sharding();
    std::vector<SpecEntry> whole, remaining;
    for (int64_t dim = 0; dim < x_.rank(); ++dim) {
      const bool is_cut = ranges_.IsCut(dim, x_.shape().dim(dim));
      whole.push_back(is_cut ? SpecEntry() : sharding.spec().entry(dim));
      if (ranges_.dropped != dim) remaining.push_back(whole.back());
    }
    ASSIGN_OR_RETURN(const NamedSharding lies,
                     NamedSharding::Create(sharding.mesh(),
                                           PartitionSpec::FromEntries(whole),
                                           sharding.memory_kind()));
    ASSIGN_OR_RETURN(NamedSharding result_lies,
                     NamedSharding::Create(
                         sharding.mesh(), PartitionSpec::FromEntries(remaining),
                         sharding.memory_kind()));
    ASSIGN_OR_RETURN(auto layout,
                     ArrayLayout::Create(std::move(result_lies),
                                         result.element_type(), result.dims()));
    if (AddressableDevices(*view_, sharding.mesh()).empty()) {
      auto none = NoShards(view_.get(), layout->shard_shape());
      return Array(std::move(layout), std::move(none));
    }
    if (!CutsAny(ranges_, x_.shape().dims())) {
      // A call too: on another host something may be wrong with the ranges.
      ASSIGN_OR_RETURN(const auto call, view_->BeginCall(Request()));
      return x_;
    }
    ASSIGN_OR_RETURN(const std::vector<int64_t> shard_dims,
                     lies.ShardShape(x_.shape().dims()));
    std::optional<ReshardPlan> plan;
    if (x_.layout()->shard_shape().dims() != shard_dims) {
      ASSIGN_OR_RETURN(plan,
                       ReshardPlan::Create(sharding, lies, x_.shape().dims()));
    }
    ASSIGN_OR_RETURN(
        std::shared_ptr<Shards> shards,
        Launch(x_.shards(), devices_,
               OfShards(ranges_, x_.shape().dims(), shard_dims), plan));
    return Array(std::move(layout), std::move(shards));
  }

  // A shard is a row, without the mapped dimension.
  absl::StatusOr<Array> OnRows() {
    RowPlacement placement = x_.placement();
    if (!placement.dim.has_value()) {
      ASSIGN_OR_RETURN(std::shared_ptr<Shards> shards,
                       CutRows(x_.shards(), ranges_, x_.shape().dims()));
      return Array(std::move(shards), placement);
    }
    const int64_t mapped = *placement.dim;
    std::shared_ptr<Shards> rows = x_.shards();
    if (ranges_.IsCut(mapped, x_.shape().dim(mapped)) ||
        ranges_.dropped == mapped) {
      std::vector<int64_t> positions;
      for (int64_t row = ranges_.starts[mapped]; row < ranges_.limits[mapped];
           row += ranges_.strides[mapped]) {
        for (int64_t copy = 0; copy < placement.copies; ++copy) {
          positions.push_back(row * placement.copies + copy);
        }
      }
      if (positions.empty()) return EmptyRows();
      ASSIGN_OR_RETURN(rows, rows->Select(positions));
    }
    if (ranges_.dropped == mapped) {
      placement = {};
    } else if (ranges_.dropped.has_value() && *ranges_.dropped < mapped) {
      --*placement.dim;
    }
    Ranges of_row = ranges_;
    if (of_row.dropped == mapped) of_row.dropped = std::nullopt;
    of_row.Erase(mapped);
    std::vector<int64_t> sizes(x_.shape().dims().begin(),
                               x_.shape().dims().end());
    sizes.erase(sizes.begin() + mapped);
    ASSIGN_OR_RETURN(std::shared_ptr<Shards> shards,
                     CutRows(rows, of_row, sizes));
    return Array(std::move(shards), placement);
  }

  // No row stays on a device.
  absl::StatusOr<Array> EmptyRows() {
    ASSIGN_OR_RETURN(
        const TracedFunction traced,
        TraceEager(OperationOf(ranges_), {{x_.shape(), false, {}, at_}}, 1));
    ASSIGN_OR_RETURN(Literal nothing, Literal::Allocate(traced.results[0]));
    return Array(std::move(nothing));
  }

  // Whether anything is left out of an array of these sizes.
  static bool CutsAny(const Ranges& ranges, absl::Span<const int64_t> sizes) {
    if (ranges.dropped.has_value()) return true;
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      if (ranges.IsCut(static_cast<int64_t>(dim), sizes[dim])) return true;
    }
    return false;
  }
  // `ranges` of an array of these sizes, for its shards, which have all of the
  // dimensions that are cut.
  static Ranges OfShards(Ranges ranges, absl::Span<const int64_t> sizes,
                         absl::Span<const int64_t> shard_sizes) {
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      if (!ranges.IsCut(static_cast<int64_t>(dim), sizes[dim])) {
        ranges.limits[dim] = shard_sizes[dim];
      }
    }
    return ranges;
  }

  absl::StatusOr<std::shared_ptr<Shards>> CutRows(
      const std::shared_ptr<Shards>& rows, const Ranges& ranges,
      absl::Span<const int64_t> sizes) {
    if (!CutsAny(ranges, sizes)) return rows;
    return Launch(rows, rows->devices(),
                  OfShards(ranges, sizes, rows->shape().dims()), {});
  }

  absl::StatusOr<std::shared_ptr<Shards>> Launch(
      const std::shared_ptr<Shards>& operand, DeviceIds devices,
      const Ranges& ranges, const std::optional<ReshardPlan>& plan) {
    const Shape& shard = operand->shape();
    const EagerOperation operation = OperationOf(ranges, plan);
    CallRequest request = Request();
    request.devices = std::move(devices);
    return LaunchOperation(
        *view_, std::move(request),
        absl::StrCat("slice ", Compared(), " ", ranges.ToString(), " of ",
                     shard.ToString(), " on ", IdsText(operand->devices())),
        kSlice,
        [&](int64_t copies) {
          return TraceEager(operation, {{shard, false, {}, at_}}, copies);
        },
        {operand}, &has_begun_);
  }

  // "slice(float32 (8, 4), [2:6, 0:4])".
  std::string Text() const {
    return absl::StrCat(kSlice, "(", NumpyName(x_.dtype()), " ",
                        TupleText(x_.shape().dims()), ", ", ranges_.ToString(),
                        ")");
  }
  std::string Compared() const {
    return absl::StrCat(Text(), " of ", x_.sharding().ToString(), " on ",
                        IdsText(devices_));
  }
  CallRequest Request() const {
    return OperationRequest(Text(), Compared(), devices_);
  }

  const Array& x_;
  const Ranges ranges_;
  const SourceLocation& at_;
  std::shared_ptr<View> view_;
  DeviceIds devices_;
  bool has_begun_ = false;
};

absl::Status CheckCounts(const Ranges& ranges, int64_t rank) {
  const auto count = static_cast<size_t>(rank);
  if (ranges.starts.size() == count && ranges.limits.size() == count &&
      ranges.strides.size() == count) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected a start, a limit and a stride for each of ", rank,
                   " dimensions, found ", ranges.starts.size(), ", ",
                   ranges.limits.size(), " and ", ranges.strides.size()));
}

// `ranges_of` gives the ranges of an array that is usable.
Array Slice(const Array& x, const SourceLocation& location,
            absl::FunctionRef<absl::StatusOr<Ranges>()> ranges_of) {
  if (!x.CheckUsable().ok()) return FailedAfter(x, kSlice);
  const absl::StatusOr<Ranges> ranges = ranges_of();
  const absl::Status known =
      ranges.ok() ? CheckCounts(*ranges, x.rank()) : ranges.status();
  if (!known.ok()) {
    return FailedAfter(
        Array::Failed(AtCall(location, kSlice, known),
                      x.shards() == nullptr ? nullptr : x.shards()->live_view(),
                      x.sharding().devices()),
        kSlice);
  }
  if (x.shards() != nullptr) return SliceCall(x, *ranges, location).Run();
  absl::StatusOr<Literal> value =
      EvaluateEager(OperationOf(*ranges), {{x, location}});
  return value.ok() ? Array(*std::move(value)) : Array::Failed(value.status());
}

// All of each dimension.
Ranges Whole(const Array& x) {
  const absl::Span<const int64_t> dims = x.shape().dims();
  return {std::vector<int64_t>(dims.size()),
          {dims.begin(), dims.end()},
          std::vector<int64_t>(dims.size(), 1)};
}

Ranges OneDim(const Array& x, int64_t dim, int64_t start, int64_t limit) {
  Ranges ranges = Whole(x);
  ranges.starts[dim] = start;
  ranges.limits[dim] = limit;
  return ranges;
}

}  // namespace
}  // namespace internal

Array slice(const Array& x, const std::vector<int64_t>& starts,
            const std::vector<int64_t>& limits,
            const std::vector<int64_t>& strides, SourceLocation location) {
  return internal::Slice(x, location, [&] {
    return internal::Ranges{
        starts, limits,
        strides.empty() ? std::vector<int64_t>(starts.size(), 1) : strides};
  });
}

Array slice_in_dim(const Array& x, int64_t start, int64_t limit, int64_t dim,
                   SourceLocation location) {
  return internal::Slice(
      x, location, [&]() -> absl::StatusOr<internal::Ranges> {
        ASSIGN_OR_RETURN(const int64_t at, internal::CheckedDim(dim, x.rank()));
        return internal::OneDim(x, at, start, limit);
      });
}

Array index_in_dim(const Array& x, int64_t index, int64_t dim,
                   SourceLocation location) {
  return internal::Slice(
      x, location, [&]() -> absl::StatusOr<internal::Ranges> {
        ASSIGN_OR_RETURN(const int64_t at, internal::CheckedDim(dim, x.rank()));
        if (index < 0) index += x.shape().dim(at);
        internal::Ranges ranges = internal::OneDim(x, at, index, index + 1);
        ranges.dropped = at;
        return ranges;
      });
}

}  // namespace lockstep
