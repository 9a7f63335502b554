#include "proto/client_queue.h"

#include <thread>

#include "proto/completion.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

grpc::CompletionQueue* MakeQueue() {
  auto* queue = new grpc::CompletionQueue;
  std::thread([queue] {
    SetThreadName("client");
    void* tag = nullptr;
    bool ok = false;
    while (queue->Next(&tag, &ok)) static_cast<Completion*>(tag)->Run(ok);
  }).detach();
  return queue;
}

}  // namespace

grpc::CompletionQueue* ClientQueue() {
  static grpc::CompletionQueue* const queue = MakeQueue();
  return queue;
}

}  // namespace lockstep::internal
