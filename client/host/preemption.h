#ifndef LOCKSTEP_CLIENT_HOST_PREEMPTION_H_
#define LOCKSTEP_CLIENT_HOST_PREEMPTION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// When hosts are to be taken away, in the host view (spec M-28): all of them
// save at the same step.

namespace lockstep {

// Whether all hosts save at this step, since a preemption of one of them is
// coming: true on all of them for the same step, which none has asked about
// before the notice; false for all others. Every host calls this once in each
// step, with the same numbers, which grow by one; from one thread:
//
//   for (int64_t step = first; step < steps; ++step) {
//     train(step);
//     LOCKSTEP_ASSIGN_OR_RETURN(const bool saves,
//                               reached_preemption_sync_point(step));
//     if (saves) return save(folder, state);
//   }
//
// Notice is given by a signal (InitializeOptions::preemption_signal), which
// this takes from its first call on; by notice_preemption; and by `lockstep
// preempt`. A notice before the step that was agreed on changes nothing; one
// after it leads to another step. Where no program has come to a step yet, all
// save at their first, whichever it is.
//
// A signal that comes again while this host is on its way to that step, or
// saves at it, does not end the process. It does what it did before from the
// next call on after that, from Shutdown on, and once no step comes, since the
// coordinator is lost.
//
// Asks nobody while there is no notice. With one it waits until all hosts have
// said how far they are. Errors:
//   INVALID_ARGUMENT     the step is not greater than the one before
//   DEADLINE_EXCEEDED    names the hosts that did not say so within
//                        InitializeOptions::preemption_deadline; once, on all
//   UNAVAILABLE, ABORTED the coordinator was lost meanwhile
//   RESOURCE_EXHAUSTED   no file descriptor is left to take the signal
//   FAILED_PRECONDITION  after Shutdown; within a callback of a program
// Without a cluster false: nothing was initialised, and no device used.
absl::StatusOr<bool> reached_preemption_sync_point(int64_t step);

// Gives notice that this host is to be taken away. Does not wait.
// FAILED_PRECONDITION: no cluster, or this host is not of it any more;
// UNAVAILABLE: the coordinator is lost, so that nobody can be told.
absl::Status notice_preemption();

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_HOST_PREEMPTION_H_
