#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_SETTINGS_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_SETTINGS_H_

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::internal::cuda {

// What tests tell the driver, through LOCKSTEP_CUDA_EMULATION before its first
// use and through a hook afterwards, and what it counts for them. Any thread.
class Settings {
 public:
  static constexpr int kMaxDevices = 16;

  static Settings& Get();

  // Applies all of `text`, or nothing and returns false (README.md).
  bool Set(std::string_view text);

  int devices() const;
  int64_t memory() const;
  int driver() const;
  int max_pause_us() const;

  // Counts a call of a function, or a run of "kernel", "copy" or "host": the
  // error that it shall fail with, or 0.
  int Count(const std::string& what);
  int64_t Counted(const std::string& what) const;

  // Waits while streams are held.
  void AwaitRelease();

 private:
  struct Fault {
    std::string what;
    int64_t at;  // The count at which it happens.
    int error;
  };
  struct Values {
    int devices = 2;
    int64_t memory = int64_t{1} << 30;
    int driver = 13000;
    int max_pause_us = 200;
    bool is_held = false;
    std::vector<Fault> faults;
  };

  Settings();
  bool Apply(std::string_view setting, Values& values) const;

  mutable std::mutex mutex_;
  std::condition_variable released_;
  Values values_;
  std::map<std::string, int64_t> counts_;
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_SETTINGS_H_
