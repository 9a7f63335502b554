#ifndef LOCKSTEP_CLIENT_HOST_LOCAL_SHARE_H_
#define LOCKSTEP_CLIENT_HOST_LOCAL_SHARE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/host/resolved_options.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// Which of `devices` devices of a machine its host `local_rank` of
// `local_count` takes: equal contiguous blocks in the order of the ranks (spec
// M-2). INVALID_ARGUMENT with both numbers when they are not equal.
absl::StatusOr<std::vector<int>> DeviceBlock(int devices, int local_rank,
                                             int local_count);

// Of the GPUs of a machine on which a launcher started several hosts: those of
// this one, in `worker`, unless they are named or the launcher shows each host
// its own. Where there are fewer GPUs than the hosts need and nothing else is
// asked for, all of them take processors, and say so in the log. Errors of
// DeviceBlock, ChooseDevices and ShareDevices.
absl::Status TakeLocalShare(const ResolvedOptions& options,
                            Worker::Options& worker);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_LOCAL_SHARE_H_
