#include "runtime/devices/cuda/completions.h"

#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {
namespace {

// How long a thread asks before it sleeps: most waits are short, and to be
// woken costs as much.
constexpr absl::Duration kSpin = absl::Microseconds(50);

absl::Status AwaitEvent(CudaDevice& device, cuda::CUevent event) {
  RETURN_IF_ERROR(device.MakeCurrent());
  const absl::Time end_of_spin = absl::Now() + kSpin;
  do {
    const cuda::CUresult result = device.driver().cuEventQuery(event);
    if (result != cuda::CUDA_ERROR_NOT_READY) {
      return device.Check(result, "cuEventQuery");
    }
    std::this_thread::yield();
  } while (absl::Now() < end_of_spin);
  return device.Check(device.driver().cuEventSynchronize(event),
                      "cuEventSynchronize");
}

}  // namespace

Completions::Completions(CudaDevice& device, std::string name)
    : device_(device), name_(std::move(name)) {}

void Completions::Add(cuda::CUevent event, const absl::Status& status,
                      Callback done) {
  absl::MutexLock lock(&mutex_);
  LOCKSTEP_CHECK(!is_ending_);
  entries_.push_back({event, status, std::move(done)});
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
}

void Completions::FinishEnd() {
  std::thread thread;
  {
    absl::MutexLock lock(&mutex_);
    is_ending_ = true;
    thread.swap(thread_);
  }
  if (thread.joinable()) thread.join();
}

void Completions::Run() {
  SetThreadName(name_);
  while (true) {
    Entry entry;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(this, &Completions::HasWork));
      if (entries_.empty()) return;
      entry = std::move(entries_.front());
      entries_.pop_front();
    }
    if (entry.event != nullptr) {
      entry.status.Update(AwaitEvent(device_, entry.event));
    }
    entry.done(entry.status);
    if (entry.event != nullptr) device_.events().GiveBack(entry.event);
  }
}

}  // namespace lockstep::internal
