#ifndef LOCKSTEP_CLIENT_CHECKPOINT_SAVE_PLAN_H_
#define LOCKSTEP_CLIENT_CHECKPOINT_SAVE_PLAN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/arrays/array_layout.h"
#include "client/arrays/view.h"
#include "client/checkpoint/call_hosts.h"
#include "client/trees/tree.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/checkpoint/shard_writer.h"
#include "runtime/cluster/agreement_record.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// What one caller writes of a tree.
struct SavePlan {
  Manifest manifest;                 // of all arrays, without shards
  std::vector<ShardSource> sources;  // ascending by array and starts
  // What must be equal on all hosts that take part.
  std::vector<AgreementRecord::Field> fields;
};

// Those that take part, also where the plan fails.
CallHosts SavingHosts(std::shared_ptr<View> view, const Tree<Array>& arrays);

// The leaves by path. INVALID_ARGUMENT: two have one path.
absl::StatusOr<std::map<std::string, Array>> ArraysByPath(
    const Tree<Array>& arrays);
// The array can be read, and is of this view if it is on devices.
absl::Status CheckIsOf(const View& view, const Array& value);

// Values are written by the first of the hosts. INVALID_ARGUMENT: see save().
absl::StatusOr<SavePlan> PlanSave(const CallHosts& hosts,
                                  const Tree<Array>& arrays);

// The position in the mesh that writes each shard, by its number: of those that
// have it, one of the host that has least to write by `bytes`, which this adds
// to. The same on all hosts, where `bytes` is.
std::vector<int64_t> ChooseWriters(const ArrayLayout& layout,
                                   std::map<HostId, int64_t>& bytes);

// Reads what is on devices, so that the arrays may be donated.
absl::Status CopyToHost(SavePlan& plan);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CHECKPOINT_SAVE_PLAN_H_
