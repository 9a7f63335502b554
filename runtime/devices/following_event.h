#ifndef LOCKSTEP_RUNTIME_DEVICES_FOLLOWING_EVENT_H_
#define LOCKSTEP_RUNTIME_DEVICES_FOLLOWING_EVENT_H_

#include <memory>
#include <utility>

#include "runtime/devices/device_event.h"

namespace lockstep::internal {

// The moment of another event, with an outcome of its own: whoever made it
// finishes it when that one is over, in a callback that waits for nothing. So
// the work of a device may wait for the other one, where it can do that without
// the host, and hear the outcome of this one.
class FollowingEvent final : public DeviceEvent {
 public:
  explicit FollowingEvent(std::shared_ptr<DeviceEvent> followed)
      : followed_(std::move(followed)) {}

  const std::shared_ptr<DeviceEvent>& followed() const { return followed_; }

 private:
  const std::shared_ptr<DeviceEvent> followed_;
};

// The event whose moment that of `event` is: itself, or what it follows.
inline std::shared_ptr<DeviceEvent> MomentOf(
    std::shared_ptr<DeviceEvent> event) {
  while (const auto* following =
             dynamic_cast<const FollowingEvent*>(event.get())) {
    event = following->followed();
  }
  return event;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_FOLLOWING_EVENT_H_
