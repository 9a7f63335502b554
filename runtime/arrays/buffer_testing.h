#ifndef LOCKSTEP_RUNTIME_ARRAYS_BUFFER_TESTING_H_
#define LOCKSTEP_RUNTIME_ARRAYS_BUFFER_TESTING_H_

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "runtime/arrays/buffer.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/check.h"
#include "runtime/devices/platform.h"

namespace lockstep::internal {

// A device of a platform that is linked; it belongs to no worker. For one
// thread at a time.
inline LocalDevice& TestDevice(const std::string& platform = "cpu") {
  static auto& platforms = *new std::map<std::string, Platform*>();
  Platform*& made = platforms[platform];
  if (made == nullptr) {
    auto first = MakePlatform(platform, {});
    LOCKSTEP_CHECK(first.ok());
    made = first->release();
  }
  return *made->devices()[0];
}

inline std::shared_ptr<Buffer> ReadyBuffer(Literal value, GlobalDeviceId id,
                                           LocalDevice& device = TestDevice()) {
  auto buffer = PutLiteral(std::move(value), id, device);
  LOCKSTEP_CHECK(buffer.ok() && (*buffer)->Await().ok());
  return *std::move(buffer);
}

// Makes a pending buffer ready.
inline void SetValue(Buffer& buffer, Literal value,
                     LocalDevice& device = TestDevice()) {
  auto ready = ReadyBuffer(std::move(value), buffer.device(), device);
  auto memory = (*ready->Storage())->Memory();
  LOCKSTEP_CHECK(memory.ok());
  buffer.SetMemory(*std::move(memory));
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_ARRAYS_BUFFER_TESTING_H_
