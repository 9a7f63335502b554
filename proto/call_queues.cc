#include "proto/call_queues.h"

#include <grpc/support/time.h>

#include <utility>

#include "absl/algorithm/container.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

using NextStatus = grpc::CompletionQueue::NextStatus;

// Of one queue before the next one has its turn.
constexpr int kBatch = 256;

// Waits for the next operation that ends until `deadline`, and runs what is to
// happen then: GOT_EVENT. SHUTDOWN: the queue is over.
NextStatus RunNext(grpc::CompletionQueue& queue, gpr_timespec deadline) {
  void* tag = nullptr;
  bool ok = false;
  const NextStatus status = queue.AsyncNext(&tag, &ok, deadline);
  if (status == NextStatus::GOT_EVENT) static_cast<Completion*>(tag)->Run(ok);
  return status;
}

// The same for all that have ended.
NextStatus RunEnded(grpc::CompletionQueue& queue, gpr_timespec deadline) {
  const NextStatus first = RunNext(queue, deadline);
  if (first != NextStatus::GOT_EVENT) return first;
  const gpr_timespec now = gpr_inf_past(GPR_CLOCK_MONOTONIC);
  for (int i = 1; i < kBatch; ++i) {
    if (RunNext(queue, now) != NextStatus::GOT_EVENT) break;
  }
  return first;
}

gpr_timespec After(absl::Duration duration) {
  return gpr_time_add(
      gpr_now(GPR_CLOCK_MONOTONIC),
      gpr_time_from_micros(absl::ToInt64Microseconds(duration), GPR_TIMESPAN));
}

}  // namespace

grpc::CompletionQueue* CallQueues::Place::queue() const {
  return queue_->queue.get();
}

CallQueues::CallQueues(grpc::ServerBuilder& builder, size_t calls_per_queue)
    : calls_per_queue_(calls_per_queue) {
  std::unique_ptr<grpc::ServerCompletionQueue> first =
      builder.AddCompletionQueue();
  arrivals_ = first.get();
  queues_.push_back(std::make_unique<Queue>());
  queues_[0]->queue = std::move(first);
  thread_ = std::thread([this] { Serve(); });
}

CallQueues::~CallQueues() {
  // The server's Shutdown cancels calls, but does not wait for what they still
  // do about it, and a queue that is shut down aborts when an operation begins.
  {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(this, &CallQueues::IsEmpty));
  }
  for (grpc::CompletionQueue* queue : Open()) queue->Shutdown();
  thread_.join();
}

bool CallQueues::IsEmpty() const {
  return absl::c_all_of(queues_,
                        [](const auto& queue) { return queue->calls == 0; });
}

size_t CallQueues::size() const {
  absl::MutexLock lock(&mutex_);
  return queues_.size();
}

std::vector<grpc::CompletionQueue*> CallQueues::Open() const {
  absl::MutexLock lock(&mutex_);
  std::vector<grpc::CompletionQueue*> open;
  for (const auto& queue : queues_) open.push_back(queue->queue.get());
  return open;
}

void CallQueues::Serve() {
  SetThreadName("calls");
  const gpr_timespec now = gpr_inf_past(GPR_CLOCK_MONOTONIC);
  std::vector<grpc::CompletionQueue*> open;
  for (size_t ended = 0; ended == 0 || ended < open.size();) {
    if (open.size() != size()) open = Open();
    ended = 0;
    bool has_run = false;
    for (size_t i = 1; i < open.size(); ++i) {
      const NextStatus status = RunEnded(*open[i], now);
      if (status == NextStatus::SHUTDOWN) ++ended;
      has_run |= status == NextStatus::GOT_EVENT;
    }
    const NextStatus status =
        open.size() == 1
            ? RunNext(*open[0], gpr_inf_future(GPR_CLOCK_MONOTONIC))
            : RunEnded(*open[0], has_run ? now : After(kLook));
    if (status == NextStatus::SHUTDOWN) ++ended;
  }
}

CallQueues::Queue* CallQueues::FindRoom() {
  absl::MutexLock lock(&mutex_);
  for (const auto& queue : queues_) {
    if (queue->calls == calls_per_queue_) continue;
    ++queue->calls;
    return queue.get();
  }
  Queue* opened = queues_.emplace_back(std::make_unique<Queue>()).get();
  opened->queue = std::make_unique<grpc::CompletionQueue>();
  ++opened->calls;
  return opened;
}

void CallQueues::Leave(Queue* queue) {
  absl::MutexLock lock(&mutex_);
  --queue->calls;
}

}  // namespace lockstep::internal
