#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVES_IN_FLIGHT_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVES_IN_FLIGHT_H_

#include <memory>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "runtime/base/check.h"
#include "runtime/devices/device_event.h"

namespace lockstep::internal {

// The collectives that were started on a device's collective queue and not yet
// awaited, by their ordinals in the executable. Of one device and one launch;
// not thread-safe.
class CollectivesInFlight {
 public:
  // `done`: null when it is over.
  void Add(int ordinal, std::shared_ptr<DeviceEvent> done) {
    events_.emplace_back(ordinal, std::move(done));
  }
  // The event of one that was added.
  std::shared_ptr<DeviceEvent> Take(int ordinal) {
    for (auto it = events_.begin(); it != events_.end(); ++it) {
      if (it->first != ordinal) continue;
      std::shared_ptr<DeviceEvent> done = std::move(it->second);
      events_.erase(it);
      return done;
    }
    LOCKSTEP_CHECK(false);
    return nullptr;
  }
  // Waits for those that were not taken.
  void AwaitAll() {
    for (const auto& [ordinal, done] : events_) {
      if (done != nullptr) done->Await().IgnoreError();
    }
    events_.clear();
  }

 private:
  absl::InlinedVector<std::pair<int, std::shared_ptr<DeviceEvent>>, 1> events_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVES_IN_FLIGHT_H_
