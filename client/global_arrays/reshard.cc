#include "client/global_arrays/reshard.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/global_arrays/array_assembly.h"
#include "client/global_arrays/reshard_program.h"
#include "runtime/base/status.h"
#include "runtime/mesh/device_assignment.h"
#include "runtime/mesh/python_text.h"
#include "runtime/mesh/reshard_plan.h"

namespace lockstep::internal {
namespace {

std::vector<GlobalDeviceId> IdsOf(absl::Span<const Device> devices) {
  std::vector<GlobalDeviceId> ids;
  for (const Device& device : devices) ids.push_back(device.id);
  return ids;
}

// By new device, in the order of the mesh: its position in the old mesh, when
// all of them have their parts there.
std::optional<std::vector<int64_t>> PositionsOfParts(const ArrayLayout& from,
                                                     const ArrayLayout& to) {
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < to.mesh().size(); ++i) {
    const auto old = from.mesh().PositionOf(to.mesh().devices()[i].id);
    if (!old.has_value() || from.box(*old) != to.box(i)) return std::nullopt;
    positions.push_back(*old);
  }
  return positions;
}

// The place of `device` among the shards; none when it has none.
std::optional<int64_t> PlaceOf(const Shards& shards, GlobalDeviceId device) {
  for (size_t i = 0; i < shards.devices().size(); ++i) {
    if (shards.devices()[i] == device) return static_cast<int64_t>(i);
  }
  return std::nullopt;
}

absl::StatusOr<std::shared_ptr<Shards>> SelectDevices(
    const View& view, const Shards& shards,
    absl::Span<const GlobalDeviceId> devices) {
  std::vector<int64_t> places;
  for (GlobalDeviceId device : devices) {
    const auto place = PlaceOf(shards, device);
    if (place.has_value()) places.push_back(*place);
  }
  if (places.empty()) return NoShards(&view, shards.shape());
  return shards.Select(places);
}

class ReshardCall {
 public:
  ReshardCall(View& view, const Array& x, const ArrayLayout& from,
              const ArrayLayout& to, const ReshardPlan& plan)
      : view_(view),
        x_(x),
        plan_(plan),
        text_(absl::StrCat("device_put(", NumpyName(x.dtype()), " ",
                           TupleText(x.shape().dims()), ", ",
                           from.sharding().ToString(), " to ",
                           to.sharding().ToString(), ")")),
        signature_(absl::StrCat(text_, x.shards()->shape().ToString(), " on ",
                                IdsText(from.mesh().devices()), " to ",
                                IdsText(to.mesh().devices()))) {}

  // The shards of all ranks on the view's devices, by rank.
  absl::StatusOr<std::shared_ptr<Shards>> Run(const ReshardOptions& options) {
    CallRequest request;
    request.devices = IdsOf(plan_.devices());
    request.sequence = options.sequence;
    request.late_abort = options.patience;
    request.stall_abort = options.patience;
    request.description = {XXH3_64bits(signature_.data(), signature_.size()),
                           text_};
    ASSIGN_OR_RETURN(const std::unique_ptr<ViewCall> call,
                     view_.BeginCall(std::move(request)));
    absl::StatusOr<std::shared_ptr<Shards>> result = Launch(*call);
    if (!result.ok()) call->Fail(result.status());
    return result;
  }

 private:
  static std::string IdsText(absl::Span<const Device> devices) {
    return absl::StrJoin(devices, ",", [](std::string* out, const Device& d) {
      absl::StrAppend(out, d.id.value());
    });
  }

  absl::StatusOr<std::shared_ptr<Shards>> Launch(ViewCall& call) {
    ASSIGN_OR_RETURN(std::shared_ptr<Shards> argument, Argument(call));
    std::shared_ptr<ViewProgram> program =
        view_.programs().Find(signature_, call.lives());
    if (program == nullptr) {
      ASSIGN_OR_RETURN(program, Load(call));
      view_.programs().Add(signature_, call.lives(), program);
    }
    ASSIGN_OR_RETURN(const auto results,
                     call.Launch(program, {std::move(argument)}));
    return results[0];
  }

  absl::StatusOr<std::shared_ptr<ViewProgram>> Load(ViewCall& call) {
    ASSIGN_OR_RETURN(TracedFunction traced,
                     TraceReshard(plan_, x_.shards()->shape()));
    return LoadOn(call, "reshard", std::move(traced), IdsOf(plan_.devices()));
  }
  static absl::StatusOr<std::shared_ptr<ViewProgram>> LoadOn(
      ViewCall& call, std::string name, TracedFunction traced,
      const std::vector<GlobalDeviceId>& devices) {
    ViewProgramSpec spec;
    spec.name = std::move(name);
    spec.module = std::move(traced.module);
    spec.results = std::move(traced.results);
    ASSIGN_OR_RETURN(spec.assignment,
                     DeviceAssignment::Create(
                         static_cast<int32_t>(devices.size()), 1, devices));
    return call.Load(std::move(spec));
  }

  // The old shards by rank; zeros on devices that have none.
  absl::StatusOr<std::shared_ptr<Shards>> Argument(ViewCall& call) {
    const std::vector<GlobalDeviceId> devices =
        view_.Addressable(IdsOf(plan_.devices()));
    const Shards& old = *x_.shards();
    std::vector<std::optional<int64_t>> places;
    std::vector<GlobalDeviceId> without;
    for (GlobalDeviceId device : devices) {
      places.push_back(PlaceOf(old, device));
      if (!places.back().has_value()) without.push_back(device);
    }
    std::vector<std::shared_ptr<Shards>> parts;
    if (!without.empty()) {
      ASSIGN_OR_RETURN(const std::shared_ptr<Shards> zeros,
                       Zeros(call, without));
      int64_t next = 0;
      for (const std::optional<int64_t>& place : places) {
        ASSIGN_OR_RETURN(parts.emplace_back(), place.has_value()
                                                   ? old.Select({*place})
                                                   : zeros->Select({next++}));
      }
      return view_.Join(std::move(parts));
    }
    std::vector<int64_t> positions;
    for (const auto& place : places) positions.push_back(*place);
    return old.Select(positions);
  }

  absl::StatusOr<std::shared_ptr<Shards>> Zeros(
      ViewCall& call, const std::vector<GlobalDeviceId>& devices) {
    const Shape& shape = x_.shards()->shape();
    if (view_.host().has_value()) {
      ASSIGN_OR_RETURN(Literal zeros, Literal::Allocate(shape));
      const HostTensor tensor =
          HostTensor::Of(std::make_shared<const Literal>(std::move(zeros)));
      return view_.Put(std::vector<HostTensor>(devices.size(), tensor),
                       devices);
    }
    // Other processes make them themselves.
    const std::string key = absl::StrCat("zeros for ", signature_);
    std::shared_ptr<ViewProgram> program =
        view_.programs().Find(key, call.lives());
    if (program == nullptr) {
      ASSIGN_OR_RETURN(TracedFunction traced,
                       TraceZeros(shape, static_cast<int64_t>(devices.size())));
      ASSIGN_OR_RETURN(program,
                       LoadOn(call, "zeros", std::move(traced), devices));
      view_.programs().Add(key, call.lives(), program);
    }
    ASSIGN_OR_RETURN(const auto results, call.Launch(program, {}));
    return results[0];
  }

  View& view_;
  const Array& x_;
  const ReshardPlan& plan_;
  const std::string text_;
  const std::string signature_;
};

// Shards without elements: nothing to move.
absl::StatusOr<std::shared_ptr<Shards>> EmptyParts(
    View& view, const ArrayLayout& to, std::vector<GlobalDeviceId> devices) {
  const HostTensor nothing =
      HostTensor::Of(std::make_shared<const Literal>(to.shard_shape()));
  std::vector<HostTensor> parts(devices.size(), nothing);
  return view.Put(std::move(parts), std::move(devices));
}

}  // namespace

absl::StatusOr<Array> Reshard(const std::shared_ptr<View>& view, const Array& x,
                              const ArrayLayout& from,
                              std::shared_ptr<const ArrayLayout> to,
                              const ReshardOptions& options) {
  const std::vector<GlobalDeviceId> targets =
      AddressableDevices(*view, to->mesh());
  const Shape& held = x.shards()->shape();
  if (held == to->shard_shape() && PositionsOfParts(from, *to).has_value()) {
    ASSIGN_OR_RETURN(std::shared_ptr<Shards> shards,
                     SelectDevices(*view, *x.shards(), targets));
    return Array(std::move(to), std::move(shards));
  }
  const bool takes_part =
      !targets.empty() || !AddressableDevices(*view, from.mesh()).empty();
  std::shared_ptr<Shards> shards;
  if (takes_part && to->shape().element_count() > 0) {
    ASSIGN_OR_RETURN(const ReshardPlan plan,
                     ReshardPlan::Create(from.sharding(), to->sharding(),
                                         to->shape().dims()));
    ReshardCall call(*view, x, from, *to, plan);
    ASSIGN_OR_RETURN(const std::shared_ptr<Shards> by_rank, call.Run(options));
    ASSIGN_OR_RETURN(shards, SelectDevices(*view, *by_rank, targets));
  } else if (!targets.empty()) {
    ASSIGN_OR_RETURN(shards, EmptyParts(*view, *to, targets));
  } else {
    shards = NoShards(view.get(), to->shard_shape());
  }
  return Array(std::move(to), std::move(shards));
}

}  // namespace lockstep::internal
