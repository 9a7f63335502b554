#ifndef LOCKSTEP_RUNTIME_ARRAYS_BUFFER_TESTING_H_
#define LOCKSTEP_RUNTIME_ARRAYS_BUFFER_TESTING_H_

#include <memory>
#include <utility>

#include "runtime/arrays/buffer.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/check.h"
#include "runtime/devices/platform.h"

namespace lockstep::internal {

// A CPU device that belongs to no worker.
inline LocalDevice& TestDevice() {
  static const auto* platform = [] {
    auto made = MakePlatform("cpu", {});
    LOCKSTEP_CHECK(made.ok());
    return made->release();
  }();
  return *platform->devices()[0];
}

inline std::shared_ptr<Buffer> ReadyBuffer(Literal value, GlobalDeviceId id) {
  auto buffer = PutLiteral(std::move(value), id, TestDevice());
  LOCKSTEP_CHECK(buffer.ok());
  return *std::move(buffer);
}

// Makes a pending buffer ready.
inline void SetValue(Buffer& buffer, Literal value) {
  auto ready = ReadyBuffer(std::move(value), buffer.device());
  auto memory = (*ready->Storage())->Memory();
  LOCKSTEP_CHECK(memory.ok());
  buffer.SetMemory(*std::move(memory));
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_ARRAYS_BUFFER_TESTING_H_
