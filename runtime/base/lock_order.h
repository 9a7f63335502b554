#ifndef LOCKSTEP_RUNTIME_BASE_LOCK_ORDER_H_
#define LOCKSTEP_RUNTIME_BASE_LOCK_ORDER_H_

namespace lockstep::internal {

// Turns off, for the whole process, Abseil's check of the order in which locks
// are taken. Distributions build Abseil with it on: every lock that is taken
// while another is held then costs a search in a graph of all locks, in gRPC
// too. That is a third of the time of a launch, a fifth of that of a busy
// coordinator. Called where commands, workers and clients begin. Thread-safe.
void DropLockOrderChecks();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_LOCK_ORDER_H_
