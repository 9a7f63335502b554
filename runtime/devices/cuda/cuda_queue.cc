#include "runtime/devices/cuda/cuda_queue.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "runtime/base/parallel_copy.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"
#include "runtime/cuda/cuda_status.h"
#include "runtime/devices/cuda/cuda_device.h"
#include "runtime/devices/following_event.h"

namespace lockstep::internal {
namespace {

cuda::CUdeviceptr Pointer(DeviceAddress address) {
  return reinterpret_cast<cuda::CUdeviceptr>(address.device_bytes());
}

size_t Size(DeviceAddress address) {
  return static_cast<size_t>(address.size());
}

}  // namespace

absl::StatusOr<std::unique_ptr<CudaQueue>> CudaQueue::Create(CudaDevice& device,
                                                             std::string name) {
  cuda::CUstream stream = nullptr;
  RETURN_IF_ERROR(device.Check(
      device.driver().cuStreamCreate(&stream, cuda::CU_STREAM_NON_BLOCKING),
      "cuStreamCreate"));
  return std::unique_ptr<CudaQueue>(
      new CudaQueue(device, std::move(name), stream));
}

CudaQueue::CudaQueue(CudaDevice& device, std::string name,
                     cuda::CUstream stream)
    : device_(device),
      name_(std::move(name)),
      stream_(stream),
      staging_(device),
      completions_(device, absl::StrCat(name_, " done")) {}

CudaQueue::~CudaQueue() {
  FinishEnd();
  device_.driver().cuStreamDestroy(stream_);
}

void CudaQueue::BeginEnd() {
  absl::MutexLock lock(&mutex_);
  is_ending_ = true;
}

void CudaQueue::FinishEnd() {
  std::thread thread;
  {
    absl::MutexLock lock(&mutex_);
    is_ending_ = true;
    mutex_.Await(absl::Condition(this, &CudaQueue::IsNotRunning));
    if (!has_thread_) has_ended_ = true;
    thread.swap(thread_);
  }
  if (thread.joinable()) thread.join();
  // Nothing runs any more that it could meet. A lost device ends at once.
  AwaitStream().IgnoreError();
  completions_.FinishEnd();
}

bool CudaQueue::Add(Operation operation) {
  {
    absl::MutexLock lock(&mutex_);
    if (has_ended_) return false;
    if (is_running_ || !held_.empty()) {
      held_.push_back(std::move(operation));
      StartThread();
      return true;
    }
    is_running_ = true;
  }
  const bool is_over = operation(/*is_on_thread=*/false);
  absl::MutexLock lock(&mutex_);
  is_running_ = false;
  if (!is_over) {
    held_.push_front(std::move(operation));
    StartThread();
  }
  return true;
}

void CudaQueue::StartThread() {
  if (has_thread_) return;
  has_thread_ = true;
  thread_ = std::thread([this] { Serve(); });
}

void CudaQueue::Serve() {
  SetThreadName(name_);
  mutex_.Lock();
  while (true) {
    mutex_.Await(absl::Condition(this, &CudaQueue::HasWork));
    if (held_.empty()) break;
    Operation operation = std::move(held_.front());
    held_.pop_front();
    is_running_ = true;
    mutex_.Unlock();
    operation(/*is_on_thread=*/true);
    operation = nullptr;  // what it owns goes without the lock
    mutex_.Lock();
    is_running_ = false;
  }
  has_ended_ = true;
  mutex_.Unlock();
}

void CudaQueue::AddOrFail(WorkScope& scope, Operation operation) {
  if (Add(std::move(operation))) return;
  scope.Fail(absl::FailedPreconditionError(
      absl::StrCat(device_.name(), ": the platform has ended")));
}

void CudaQueue::AddWork(WorkScope& scope, std::function<absl::Status()> work) {
  AddOrFail(scope, [this, &scope, work = std::move(work)](bool) {
    if (!GoesOn(scope)) return true;
    is_stream_busy_ = true;
    if (absl::Status status = work(); !status.ok()) scope.Fail(status);
    return true;
  });
}

bool CudaQueue::GoesOn(WorkScope& scope) {
  if (!scope.status().ok()) return false;
  absl::Status status = device_.MakeCurrent();
  if (!status.ok()) scope.Fail(status);
  return status.ok();
}

CudaQueue::Mark CudaQueue::MarkStream() {
  if (absl::Status status = device_.MakeCurrent(); !status.ok()) {
    return {nullptr, status};
  }
  absl::StatusOr<cuda::CUevent> event = device_.events().Take();
  if (!event.ok()) return {nullptr, event.status()};
  absl::Status status = device_.Check(
      device_.driver().cuEventRecord(*event, stream_), "cuEventRecord");
  if (status.ok()) return {*event, status};
  device_.events().GiveBack(*event);
  return {nullptr, status};
}

void CudaQueue::AddCompletion(Completions::Callback done) {
  const Mark mark = MarkStream();
  completions_.Add(mark.event, mark.status, std::move(done));
}

absl::Status CudaQueue::AwaitStream() {
  if (!is_stream_busy_) return absl::OkStatus();
  absl::Notification is_over;
  absl::Status outcome;
  AddCompletion([&](const absl::Status& status) {
    outcome = status;
    is_over.Notify();
  });
  is_over.WaitForNotification();
  is_stream_busy_ = false;
  writes_to_host_ = false;
  return outcome;
}

void CudaQueue::Enqueue(
    WorkScope& scope, std::function<absl::Status(const cuda::CudaDriver& driver,
                                                 cuda::CUstream stream)>
                          work) {
  AddWork(scope, [this, work = std::move(work)] {
    absl::Status status = work(device_.driver(), stream_);
    return absl::StartsWith(status.message(), device_.name())
               ? status
               : Annotate(status, device_.name());
  });
}

void CudaQueue::Copy(WorkScope& scope, DeviceAddress to, DeviceAddress from) {
  AddWork(scope, [this, to, from] {
    if (from.size() == 0) return absl::OkStatus();
    return device_.Check(device_.driver().cuMemcpyDtoDAsync(
                             Pointer(to), Pointer(from), Size(from), stream_),
                         "cuMemcpyDtoDAsync");
  });
}

void CudaQueue::CopyRows(WorkScope& scope, int64_t rows, int64_t row_size,
                         DeviceAddress to, int64_t to_pitch, DeviceAddress from,
                         int64_t from_pitch) {
  // What the driver takes as a pitch.
  constexpr int64_t kMaxPitch = std::numeric_limits<int32_t>::max();
  if (rows > 1 && std::max(to_pitch, from_pitch) > kMaxPitch) {
    for (int64_t row = 0; row < rows; ++row) {
      Copy(scope, to.Slice(row * to_pitch, row_size),
           from.Slice(row * from_pitch, row_size));
    }
    return;
  }
  AddWork(scope, [=, this] {
    if (rows == 0 || row_size == 0) return absl::OkStatus();
    cuda::CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = cuda::CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = Pointer(from);
    copy.dstMemoryType = cuda::CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = Pointer(to);
    // The pitches of a single row mean nothing, and may be less than its size.
    copy.srcPitch = static_cast<size_t>(rows == 1 ? row_size : from_pitch);
    copy.dstPitch = static_cast<size_t>(rows == 1 ? row_size : to_pitch);
    copy.WidthInBytes = static_cast<size_t>(row_size);
    copy.Height = static_cast<size_t>(rows);
    return device_.Check(device_.driver().cuMemcpy2DAsync(&copy, stream_),
                         "cuMemcpy2DAsync");
  });
}

void CudaQueue::Fill(WorkScope& scope, DeviceAddress to, std::byte value) {
  AddWork(scope, [this, to, value] {
    if (to.size() == 0) return absl::OkStatus();
    return device_.Check(
        device_.driver().cuMemsetD8Async(
            Pointer(to), static_cast<unsigned char>(value), Size(to), stream_),
        "cuMemsetD8Async");
  });
}

void CudaQueue::CopyFromHost(WorkScope& scope, DeviceAddress to,
                             const std::byte* from) {
  AddOrFail(scope, [this, &scope, to, from](bool is_on_thread) {
    if (to.size() == 0 || !GoesOn(scope)) return true;
    const bool is_small = to.size() <= PinnedStaging::kSmallSize;
    if (!is_on_thread && (!is_small || writes_to_host_)) return false;
    if (writes_to_host_) {
      if (absl::Status status = AwaitStream(); !status.ok()) scope.Fail(status);
      if (!GoesOn(scope)) return true;
    }
    is_stream_busy_ = true;
    // The driver keeps a small piece itself before it returns.
    absl::Status status =
        is_small ? PutFromHost(to, from) : StageFromHost(to, from);
    if (!status.ok()) scope.Fail(status);
    return true;
  });
}

absl::Status CudaQueue::PutFromHost(DeviceAddress to, const std::byte* from) {
  return device_.Check(
      device_.driver().cuMemcpyHtoDAsync(Pointer(to), from, Size(to), stream_),
      "cuMemcpyHtoDAsync");
}

absl::Status CudaQueue::StageFromHost(DeviceAddress to, const std::byte* from) {
  for (int64_t at = 0; at < to.size(); at += PinnedStaging::kLargeSize) {
    const DeviceAddress target =
        to.Slice(at, std::min(to.size() - at, PinnedStaging::kLargeSize));
    absl::StatusOr<std::byte*> piece = staging_.TakeLarge();
    // Without pinned memory the driver copies through its own.
    if (!piece.ok()) {
      RETURN_IF_ERROR(PutFromHost(target, from + at));
      continue;
    }
    ParallelCopy(*piece, from + at, Size(target));
    absl::Status status = PutFromHost(target, *piece);
    AddCompletion([this, piece = *piece](const absl::Status&) {
      staging_.GiveBackLarge(piece);
    });
    RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

void CudaQueue::CopyToHost(WorkScope& scope, std::byte* to,
                           DeviceAddress from) {
  AddOrFail(scope, [this, &scope, to, from](bool is_on_thread) {
    if (from.size() == 0 || !GoesOn(scope)) return true;
    const bool is_small = from.size() <= PinnedStaging::kSmallSize;
    if (!is_on_thread && !is_small) return false;
    is_stream_busy_ = writes_to_host_ = true;
    absl::Status status = StageToHost(scope, to, from, is_small);
    if (!status.ok()) scope.Fail(status);
    return true;
  });
}

absl::Status CudaQueue::StageToHost(WorkScope& scope, std::byte* to,
                                    DeviceAddress from, bool is_small) {
  for (int64_t at = 0; at < from.size(); at += PinnedStaging::kLargeSize) {
    const DeviceAddress source =
        from.Slice(at, std::min(from.size() - at, PinnedStaging::kLargeSize));
    absl::StatusOr<std::byte*> taken =
        is_small ? staging_.TakeSmall() : staging_.TakeLarge();
    // Without pinned memory the driver copies through its own, and waits.
    std::byte* const piece = taken.ok() ? *taken : nullptr;
    std::byte* const target = piece == nullptr ? to + at : piece;
    absl::Status status =
        device_.Check(device_.driver().cuMemcpyDtoHAsync(
                          target, Pointer(source), Size(source), stream_),
                      "cuMemcpyDtoHAsync");
    AddCompletion([=, this, &scope, to = to + at,
                   size = Size(source)](const absl::Status& outcome) {
      if (!outcome.ok()) scope.Fail(outcome);
      if (piece == nullptr) return;
      if (outcome.ok() && status.ok()) ParallelCopy(to, piece, size);
      if (is_small) {
        staging_.GiveBackSmall(piece);
      } else {
        staging_.GiveBackLarge(piece);
      }
    });
    RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

void CudaQueue::CallHost(WorkScope& scope, std::function<absl::Status()> call) {
  AddOrFail(scope, [this, &scope, call = std::move(call)](bool is_on_thread) {
    if (!scope.status().ok()) return true;
    if (!is_on_thread) return false;
    if (absl::Status status = AwaitStream(); !status.ok()) scope.Fail(status);
    if (!GoesOn(scope)) return true;
    if (absl::Status status = call(); !status.ok()) scope.Fail(status);
    return true;
  });
}

void CudaQueue::Wait(WorkScope& scope, std::shared_ptr<DeviceEvent> event) {
  if (event == nullptr) return;
  auto cuda_event = std::dynamic_pointer_cast<CudaEvent>(MomentOf(event));
  AddOrFail(scope, [this, &scope, event = std::move(event),
                    cuda_event = std::move(cuda_event)](bool is_on_thread) {
    if (cuda_event == nullptr || event->is_ready()) {
      if (!is_on_thread && !event->is_ready()) return false;
      absl::Status status = event->Await();
      if (!status.ok()) scope.Fail(status);
      return true;
    }
    if (!cuda_event->is_recorded()) {
      if (!is_on_thread) return false;
      cuda_event->AwaitRecorded();
    }
    WaitOnStream(scope, cuda_event, event);
    return true;
  });
}

void CudaQueue::WaitOnStream(WorkScope& scope,
                             const std::shared_ptr<CudaEvent>& moment,
                             const std::shared_ptr<DeviceEvent>& event) {
  is_stream_busy_ = true;
  writes_to_host_ = writes_to_host_ || moment->writes_to_host();
  absl::Status status = device_.MakeCurrent();
  if (status.ok()) {
    status = moment->WithCUevent([this](cuda::CUevent awaited) {
      return LOCKSTEP_CUDA_CALL(device_.driver(), cuStreamWaitEvent, stream_,
                                awaited, 0);
    });
  }
  // An error may be that of the other event's device, or of this one.
  if (!status.ok()) {
    status = Annotate(status, device_.name());
    const cuda::CUresult own = device_.driver().cuStreamQuery(stream_);
    if (own != cuda::CUDA_ERROR_NOT_READY) {
      absl::Status lost = device_.Check(own, "cuStreamQuery");
      if (!lost.ok()) status = lost;
    }
  }
  completions_.Add(nullptr, status,
                   [&scope, event](const absl::Status& waiting) {
                     absl::Status outcome = event->Await();
                     outcome.Update(waiting);
                     if (!outcome.ok()) scope.Fail(outcome);
                   });
}

std::shared_ptr<DeviceEvent> CudaQueue::Record(WorkScope& scope) {
  auto event = std::make_shared<CudaEvent>();
  const bool is_added = Add([this, &scope, event](bool) {
    const Mark mark = MarkStream();
    event->SetRecorded(mark.event, writes_to_host_);
    completions_.Add(mark.event, mark.status,
                     [&scope, event](const absl::Status& status) {
                       if (!status.ok()) scope.Fail(status);
                       event->DropCUevent();
                       event->Finish(scope.status());
                     });
    return true;
  });
  if (!is_added) {
    event->SetRecorded(nullptr, false);
    event->Finish(scope.status());
  }
  return event;
}

CudaQueue* AsCudaQueue(DeviceQueue& queue) {
  return dynamic_cast<CudaQueue*>(&queue);
}

}  // namespace lockstep::internal
