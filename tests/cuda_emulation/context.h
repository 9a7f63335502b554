#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_CONTEXT_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_CONTEXT_H_

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/cuda/driver_api.h"
#include "tests/cuda_emulation/stream.h"

namespace lockstep::internal::cuda {

// A device in use. Its first error stays: nothing runs after it. Any thread.
class Context : public std::enable_shared_from_this<Context> {
 public:
  // The primary context of a device, or null when nobody has retained it.
  static std::shared_ptr<Context> Primary(int device);
  static std::shared_ptr<Context> Retain(int device);
  // With the last call its streams end and its memory is freed.
  static CUresult Release(int device);

  // Of the calling thread, or null.
  static std::shared_ptr<Context> Current();
  static CUresult SetCurrent(CUcontext context);

  int device() const { return device_; }
  CUcontext handle() const { return handle_; }
  CUresult error() const { return static_cast<CUresult>(error_.load()); }
  void Fail(CUresult error);

  std::shared_ptr<Stream> NewStream();
  std::shared_ptr<Stream> DefaultStream();
  void Forget(const std::shared_ptr<Stream>& stream);
  void Synchronize();

  // Calls on the one thread that runs functions of the host, and waits.
  void CallHost(CUhostFn function, void* user_data);
  static bool IsInHostFunction();

 private:
  explicit Context(int device) : device_(device) {}
  std::vector<std::shared_ptr<Stream>> Streams();

  const int device_;
  CUcontext handle_ = nullptr;  // Set before anybody has the context.
  std::atomic<int> error_{CUDA_SUCCESS};
  std::mutex mutex_;
  std::vector<std::shared_ptr<Stream>> streams_;
  std::shared_ptr<Stream> default_stream_;
  std::shared_ptr<Stream> host_functions_;
  uint64_t next_seed_ = 1;
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_CONTEXT_H_
