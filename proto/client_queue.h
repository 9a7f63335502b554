#ifndef LOCKSTEP_PROTO_CLIENT_QUEUE_H_
#define LOCKSTEP_PROTO_CLIENT_QUEUE_H_

#include <grpcpp/completion_queue.h>

namespace lockstep::internal {

// Where operations of this process's client streams end. Their tags are
// `Completion`s, which one thread runs, one after the other, until the process
// ends. In place of gRPC's callback threads, which hand the task of polling to
// each other at every event; and of which programs that use gRPC themselves may
// need several.
grpc::CompletionQueue* ClientQueue();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_CLIENT_QUEUE_H_
