#ifndef LOCKSTEP_PROTO_CALLBACK_THREADS_H_
#define LOCKSTEP_PROTO_CALLBACK_THREADS_H_

namespace lockstep {

// Keeps the threads on which gRPC runs callbacks until the process ends. gRPC
// ends them with the last channel or server and starts them with the next one,
// and 1.51 sometimes aborts in the ending: a thread that looks at their queue
// gives back a reference after the last one (grpc_cq_internal_unref). Before
// the first channel or server; later calls have no effect. Thread-safe.
void KeepCallbackThreads();

}  // namespace lockstep

#endif  // LOCKSTEP_PROTO_CALLBACK_THREADS_H_
