#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_CALL_MISMATCH_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_CALL_MISMATCH_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/communicator.h"

namespace lockstep::internal {

// How messages name things that collectives know by number only. An unset
// function prints the number.
struct CollectiveNames {
  // A program by its fingerprint: "jit_step".
  std::function<std::string(uint64_t)> program;
  // A host: "host 3 (gpu03)".
  std::function<std::string(HostId)> host;

  std::string Host(HostId id) const;
  std::string Program(uint64_t fingerprint) const;
};

// "all_reduce #3 of launch 5 (jit_step), m.mlir:12:8": the description, or
// the numbers when there is none.
std::string Describe(const CollectiveCall& call);

// The programs of the member's last launches in the sequence, newest first:
// "step, step, init".
std::string RecentLaunches(const CollectiveCall& call,
                           const CollectiveNames& names);

// OK when both members make the same call, else (spec M-19)
//   FAILED_PRECONDITION  different launches, programs, positions or
//                        operations: names both members and both calls, and
//                        the last launches of each where they differ
//   INTERNAL             the same operation with different digests
absl::Status CheckSameCall(const CliqueMember& member_a,
                           const CollectiveCall& call_a,
                           const CliqueMember& member_b,
                           const CollectiveCall& call_b,
                           const CollectiveNames& names);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_CALL_MISMATCH_H_
