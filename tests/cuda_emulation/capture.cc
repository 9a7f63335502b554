#include "tests/cuda_emulation/capture.h"

#include <algorithm>

#include "tests/cuda_emulation/context.h"

namespace lockstep::internal::cuda {

struct Capture {
  CUstreamCaptureMode mode;
  std::thread::id thread;
  const Stream* origin;
  Graph graph;
  CaptureProgress added;  // Operations by stream.
  bool is_broken = false;
};

namespace {

void Merge(const CaptureProgress& from, CaptureProgress& to) {
  for (auto [stream, count] : from) to[stream] = std::max(to[stream], count);
}

bool Includes(const CaptureProgress& seen, const CaptureProgress& added) {
  return std::all_of(added.begin(), added.end(), [&](const auto& entry) {
    auto found = seen.find(entry.first);
    return (found == seen.end() ? 0 : found->second) >= entry.second;
  });
}

}  // namespace

bool Graph::HasTopologyOf(const Graph& other) const {
  return std::equal(
      operations.begin(), operations.end(), other.operations.begin(),
      other.operations.end(), [](const auto& own, const auto& others) {
        return own->kind == others->kind && own->function == others->function;
      });
}

Captures& Captures::Get() {
  static auto* const captures = new Captures;
  return *captures;
}

CUresult Captures::Begin(const std::shared_ptr<Stream>& stream,
                         CUstreamCaptureMode mode) {
  std::lock_guard lock(mutex_);
  if (members_.contains(stream.get())) return CUDA_ERROR_INVALID_VALUE;
  members_[stream.get()].capture =
      std::make_shared<Capture>(Capture{.mode = mode,
                                        .thread = std::this_thread::get_id(),
                                        .origin = stream.get(),
                                        .graph = {},
                                        .added = {}});
  return CUDA_SUCCESS;
}

CUresult Captures::End(const std::shared_ptr<Stream>& stream,
                       std::shared_ptr<Graph>* graph) {
  std::lock_guard lock(mutex_);
  auto member = members_.find(stream.get());
  if (member == members_.end() ||
      member->second.capture->origin != stream.get()) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::shared_ptr<Capture> capture = member->second.capture;
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
      capture->thread != std::this_thread::get_id()) {
    return kWrongThread;
  }
  bool is_joined = Includes(member->second.seen, capture->added);
  std::erase_if(members_, [&](const auto& entry) {
    return entry.second.capture == capture;
  });
  if (capture->is_broken) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (!is_joined) return kUnjoined;
  *graph = std::make_shared<Graph>(std::move(capture->graph));
  return CUDA_SUCCESS;
}

bool Captures::Add(const std::shared_ptr<Stream>& stream,
                   const std::shared_ptr<const Operation>& operation,
                   CUresult* result) {
  std::lock_guard lock(mutex_);
  auto found = members_.find(stream.get());
  if (found == members_.end()) return false;
  auto& [capture, seen] = found->second;
  *result =
      capture->is_broken ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
  if (capture->is_broken) return true;
  capture->graph.operations.push_back(operation);
  seen[stream.get()] = ++capture->added[stream.get()];
  return true;
}

bool Captures::Record(const std::shared_ptr<Stream>& stream, Event& event,
                      CUresult* result) {
  std::lock_guard lock(mutex_);
  auto found = members_.find(stream.get());
  if (found == members_.end()) return false;
  *result = found->second.capture->is_broken
                ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                : CUDA_SUCCESS;
  std::lock_guard event_lock(event.mutex);
  event.captured = std::make_shared<CapturedMoment>(
      CapturedMoment{found->second.capture, found->second.seen});
  event.moment = nullptr;
  return true;
}

bool Captures::Wait(const std::shared_ptr<Stream>& stream, Event& event,
                    CUresult* result) {
  std::lock_guard lock(mutex_);
  std::lock_guard event_lock(event.mutex);
  auto found = members_.find(stream.get());
  *result = CUDA_SUCCESS;
  if (event.captured == nullptr) {
    if (found == members_.end()) return false;
    // It would wait for what the graph does not hold.
    if (event.moment != nullptr) {
      found->second.capture->is_broken = true;
      *result = kIsolation;
    }
    return true;
  }
  std::shared_ptr<Capture> capture = event.captured->capture.lock();
  if (capture == nullptr ||
      (found != members_.end() && found->second.capture != capture)) {
    *result = kIsolation;
    return true;
  }
  if (capture->is_broken) {
    *result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    return true;
  }
  Member& member = members_[stream.get()];
  member.capture = capture;
  Merge(event.captured->seen, member.seen);
  return true;
}

CUresult Captures::BreakForWait(const Stream& stream) {
  std::lock_guard lock(mutex_);
  auto found = members_.find(&stream);
  if (found == members_.end()) return CUDA_SUCCESS;
  found->second.capture->is_broken = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult Captures::BreakForWait(const Context& context) {
  std::lock_guard lock(mutex_);
  CUresult result = CUDA_SUCCESS;
  for (auto& [stream, member] : members_) {
    if (&stream->context() != &context) continue;
    member.capture->is_broken = true;
    result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return result;
}

CUresult Captures::BreakForUnsafeCall() {
  std::lock_guard lock(mutex_);
  CUresult result = CUDA_SUCCESS;
  for (auto& [stream, member] : members_) {
    Capture& capture = *member.capture;
    bool is_forbidden = capture.mode == CU_STREAM_CAPTURE_MODE_GLOBAL ||
                        (capture.mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL &&
                         capture.thread == std::this_thread::get_id());
    if (!is_forbidden) continue;
    capture.is_broken = true;
    result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return result;
}

}  // namespace lockstep::internal::cuda
