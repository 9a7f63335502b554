#include "client/eager/operation_call.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/mesh/device_assignment.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::shared_ptr<LoadedEager>> LoadAnew(
    ViewCall& call, const std::string& operation, const DeviceIds& devices,
    const std::function<absl::StatusOr<TracedFunction>(int64_t)>& trace) {
  const auto copies = static_cast<int64_t>(devices.size());
  ASSIGN_OR_RETURN(const TracedFunction traced, trace(copies));
  if (traced.is_all_constant()) {
    ASSIGN_OR_RETURN(Literal value, ConstantResult(traced));
    return std::make_shared<LoadedEager>(
        HostTensor::Of(std::make_shared<const Literal>(std::move(value))));
  }
  ViewProgramSpec spec;
  spec.name = operation;
  spec.module = traced.module;
  spec.results = traced.results;
  ASSIGN_OR_RETURN(
      spec.assignment,
      DeviceAssignment::Create(static_cast<int32_t>(copies), 1, devices));
  ASSIGN_OR_RETURN(std::shared_ptr<ViewProgram> program,
                   call.Load(std::move(spec)));
  return std::make_shared<LoadedEager>(std::move(program));
}

}  // namespace

std::string IdsText(const DeviceIds& ids) {
  return absl::StrJoin(ids, ",", [](std::string* out, GlobalDeviceId id) {
    absl::StrAppend(out, id.value());
  });
}

CallRequest OperationRequest(std::string text, const std::string& compared,
                             DeviceIds devices) {
  // Of no function: the arrays say who takes part, so an operation on one
  // host's arrays is no call that others expect, whatever was called before.
  CallRequest request;
  request.devices = std::move(devices);
  request.description = {XXH3_64bits(compared.data(), compared.size()),
                         std::move(text)};
  return request;
}

void FailCall(View& view, CallRequest request, const absl::Status& cause) {
  if (view.Addressable(*request.devices).empty()) return;
  const auto call = view.BeginCall(std::move(request));
  if (call.ok()) (*call)->Fail(cause);
}

Array FailedAfter(const Array& failed, const std::string& operation) {
  const absl::Status status = failed.CheckUsable();
  if (failed.failure() == nullptr) return Array::Failed(status);
  const std::shared_ptr<View> view = failed.failure()->view.lock();
  if (view == nullptr) return Array::Failed(status);
  const DeviceIds& devices = failed.failure()->devices;
  FailCall(*view, OperationRequest(operation, operation, devices), status);
  return Array::Failed(status, view, devices);
}

absl::StatusOr<std::shared_ptr<Shards>> LaunchOperation(
    View& view, CallRequest request, const std::string& signature,
    const std::string& operation,
    const std::function<absl::StatusOr<TracedFunction>(int64_t copies)>& trace,
    const std::vector<std::shared_ptr<Shards>>& operands, bool* has_begun) {
  const DeviceIds devices = *request.devices;
  ASSIGN_OR_RETURN(const std::unique_ptr<ViewCall> call,
                   view.BeginCall(std::move(request)));
  *has_begun = true;
  const auto run = [&]() -> absl::StatusOr<std::shared_ptr<Shards>> {
    std::shared_ptr<ViewProgram> known =
        view.programs().Find(signature, call->lives());
    if (known == nullptr) {
      ASSIGN_OR_RETURN(known, LoadAnew(*call, operation, devices, trace));
      view.programs().Add(signature, call->lives(), known);
    }
    const auto& loaded = static_cast<const LoadedEager&>(*known);
    if (loaded.program() == nullptr) {
      DeviceIds here = view.Addressable(devices);
      std::vector<HostTensor> copies(here.size(), loaded.constant());
      return view.Put(std::move(copies), std::move(here));
    }
    ASSIGN_OR_RETURN(const auto results,
                     call->Launch(loaded.program(), operands));
    return results[0];
  };
  absl::StatusOr<std::shared_ptr<Shards>> result = run();
  if (!result.ok()) call->Fail(result.status());
  return result;
}

}  // namespace lockstep::internal
