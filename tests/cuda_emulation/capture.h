#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_CAPTURE_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_CAPTURE_H_

#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/cuda/driver_api.h"
#include "tests/cuda_emulation/stream.h"

namespace lockstep::internal::cuda {

// Operations in an order that respects what was captured.
struct Graph {
  std::vector<std::shared_ptr<const Operation>> operations;

  // Whether an executable graph may be changed from the other into this one.
  bool HasTopologyOf(const Graph& other) const;
};

struct Capture;

// How many operations of each stream of a capture come before.
using CaptureProgress = std::map<const Stream*, int>;

// A place in the order of a capture, where an event was recorded.
struct CapturedMoment {
  std::weak_ptr<Capture> capture;
  CaptureProgress seen;
};

// What callers have a handle of. Guarded by its mutex.
struct Event {
  bool has_timing;
  Context* context;
  std::mutex mutex;
  std::shared_ptr<Moment> moment;            // Last recorded, or null.
  std::shared_ptr<CapturedMoment> captured;  // Instead, in a capture.
};

// The captures of all streams. Any thread.
class Captures {
 public:
  static constexpr auto kUnjoined = static_cast<CUresult>(904);
  static constexpr auto kIsolation = static_cast<CUresult>(905);
  static constexpr auto kWrongThread = static_cast<CUresult>(908);

  static Captures& Get();

  CUresult Begin(const std::shared_ptr<Stream>& stream,
                 CUstreamCaptureMode mode);
  CUresult End(const std::shared_ptr<Stream>& stream,
               std::shared_ptr<Graph>* graph);

  // Whether the stream is captured; then these record the operation, the event,
  // or the wait, and fill in `result`.
  bool Add(const std::shared_ptr<Stream>& stream,
           const std::shared_ptr<const Operation>& operation, CUresult* result);
  bool Record(const std::shared_ptr<Stream>& stream, Event& event,
              CUresult* result);
  // Also lets a stream join the capture of the event.
  bool Wait(const std::shared_ptr<Stream>& stream, Event& event,
            CUresult* result);

  // Before a call that waits for a stream, or for all of a context: breaks
  // their captures, and returns the error.
  CUresult BreakForWait(const Stream& stream);
  CUresult BreakForWait(const Context& context);
  // Before a call that may wait on its own account, such as cuMemAlloc: breaks
  // captures whose mode forbids it to this thread.
  CUresult BreakForUnsafeCall();

 private:
  struct Member {
    std::shared_ptr<Capture> capture;
    CaptureProgress seen;
  };

  std::mutex mutex_;
  std::map<const Stream*, Member> members_;
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_CAPTURE_H_
