#ifndef LOCKSTEP_PROTO_ROSTER_CODEC_H_
#define LOCKSTEP_PROTO_ROSTER_CODEC_H_

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "proto/lockstep/cluster.pb.h"
#include "runtime/cluster/roster.h"

namespace lockstep::internal {

// Rosters on the wire. That of many hosts is large, and everybody needs it:
// bodies are compressed, changes travel as what has changed, and devices are
// not listed one by one (their ids follow from the order of the members).
// Secrets are left out; who may know them adds them.

proto::RosterUpdate EncodeRoster(const Roster& roster);

// What makes `to` of `from`. None: they have too little in common.
std::optional<proto::RosterUpdate> EncodeRosterChange(const Roster& from,
                                                      const Roster& to);

// The roster after `update`. `known`: the one before, or null; it is returned
// when it is newer. FAILED_PRECONDITION: the update has no body, or changes
// another roster: the whole one must be fetched. INVALID_ARGUMENT: the update
// is damaged.
absl::StatusOr<std::shared_ptr<const Roster>> ApplyRosterUpdate(
    const proto::RosterUpdate& update,
    const std::shared_ptr<const Roster>& known);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_ROSTER_CODEC_H_
