#ifndef LOCKSTEP_CLIENT_EAGER_OPERATION_CALL_H_
#define LOCKSTEP_CLIENT_EAGER_OPERATION_CALL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/arrays/view.h"
#include "client/eager/operation_program.h"

// What all operations on arrays of devices do: the call, the program of it that
// the view keeps, the launch.

namespace lockstep::internal {

using DeviceIds = std::vector<GlobalDeviceId>;

// "0,1,2".
std::string IdsText(const DeviceIds& ids);

// The call of an operation, described by `text`; hosts whose `compared` differ
// make different calls.
CallRequest OperationRequest(std::string text, const std::string& compared,
                             DeviceIds devices);

// At the place where other hosts make the call; nothing where the caller has
// none of its devices, and would not make it.
void FailCall(View& view, CallRequest request, const absl::Status& cause);

// What an operation makes of `failed`, on whose devices other hosts may have
// made the operand and call the operation.
Array FailedAfter(const Array& failed, const std::string& operation);

// Launches the operation on the shards of its operands, on the devices that the
// request names; the result's shards, in their order. `trace` makes the program
// of so many copies, unless the view has the one of `signature`. `has_begun`:
// set once the call has its place.
absl::StatusOr<std::shared_ptr<Shards>> LaunchOperation(
    View& view, CallRequest request, const std::string& signature,
    const std::string& operation,
    const std::function<absl::StatusOr<TracedFunction>(int64_t copies)>& trace,
    const std::vector<std::shared_ptr<Shards>>& operands, bool* has_begun);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_EAGER_OPERATION_CALL_H_
