#ifndef LOCKSTEP_RUNTIME_OPS_TRANSFERS_H_
#define LOCKSTEP_RUNTIME_OPS_TRANSFERS_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Replaces the sends and recvs between devices of a verified module (spec
// K-24). All devices run both, so that the n-th send and the n-th recv of one
// channel, in the same region, are one collective_permute of what is sent,
// where the send stands; tokens that order nothing else go. The ops of a region
// keep their order, except that what a send needs comes before its recv.
//
// INVALID_ARGUMENT, with the ops and their places: a send without its recv or
// the reverse; two that differ in pairs or types; a recv without which its own
// send cannot come. UNIMPLEMENTED: two in different regions.
absl::Status ReplaceTransfers(Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_TRANSFERS_H_
