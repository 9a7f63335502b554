#ifndef LOCKSTEP_PROTO_CALLBACK_THREADS_H_
#define LOCKSTEP_PROTO_CALLBACK_THREADS_H_

namespace lockstep::internal {

// The threads on which gRPC runs callbacks. It has at least two, and as many as
// half of the cores.

// Keeps them until the process ends. gRPC ends them with the last channel or
// server and starts them with the next one, and 1.51 sometimes aborts in the
// ending: a thread that looks at their queue gives back a reference after the
// last one (grpc_cq_internal_unref). Before the first call or server with
// callbacks; later calls have no effect. Not where there are none: each of the
// threads polls, and takes part in what ClientQueue() alone would do.
// Thread-safe.
void KeepCallbackThreads();

// Lets one of them do all work from the first KeepCallbackThreads on. They hand
// the task of polling to each other at every event: a thread is woken for each
// message, and both meet at the same locks. With one, a launch of the global
// view takes about three quarters of the time. A callback must not wait for
// another one, so this is for processes of lockstep's own: in a program that
// uses gRPC itself, callbacks of others may.
void UseOneCallbackThread();

// How many there are, those that do nothing included; 0: not known for this
// version of gRPC, in which case all of them work.
int CallbackThreadCount();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_CALLBACK_THREADS_H_
