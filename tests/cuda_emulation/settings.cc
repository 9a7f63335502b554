#include "tests/cuda_emulation/settings.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace lockstep::internal::cuda {
namespace {

bool ParseNumber(std::string_view text, int64_t& number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() &&
         number >= 0;
}

// 64M, 2G, 4096.
bool ParseBytes(std::string_view text, int64_t& bytes) {
  int shift = 0;
  if (!text.empty()) {
    if (text.back() == 'K') shift = 10;
    if (text.back() == 'M') shift = 20;
    if (text.back() == 'G') shift = 30;
    if (shift != 0) text.remove_suffix(1);
  }
  if (!ParseNumber(text, bytes)) return false;
  bytes <<= shift;
  return true;
}

// The part of `text` before `separator`, which is taken from it.
std::string_view TakeUntil(std::string_view& text, char separator) {
  size_t end = text.find(separator);
  std::string_view part = text.substr(0, end);
  text = end == text.npos ? std::string_view() : text.substr(end + 1);
  return part;
}

}  // namespace

Settings& Settings::Get() {
  static auto* const settings = new Settings;
  return *settings;
}

Settings::Settings() {
  const char* text = std::getenv("LOCKSTEP_CUDA_EMULATION");
  if (text != nullptr && !Set(text)) {
    std::fprintf(stderr, "LOCKSTEP_CUDA_EMULATION is not understood: %s\n",
                 text);
    std::abort();
  }
}

bool Settings::Set(std::string_view text) {
  std::lock_guard lock(mutex_);
  Values values = values_;
  while (!text.empty()) {
    if (!Apply(TakeUntil(text, ','), values)) return false;
  }
  values_ = values;
  released_.notify_all();
  return true;
}

bool Settings::Apply(std::string_view setting, Values& values) const {
  std::string_view value = setting;
  std::string_view name = TakeUntil(value, '=');
  int64_t number = 0;
  if (name == "no_device" || name == "no_faults" || name == "hold" ||
      name == "release") {
    if (name == "no_device") values.devices = 0;
    if (name == "no_faults") values.faults.clear();
    if (name == "hold" || name == "release") values.is_held = name == "hold";
    return name == setting;
  }
  if (name == "memory") return ParseBytes(value, values.memory);
  if (name == "fail") {
    Fault fault{std::string(TakeUntil(value, ':')), 0, 0};
    int64_t error = 0;
    if (fault.what.empty() || !ParseNumber(TakeUntil(value, ':'), fault.at) ||
        !ParseNumber(value, error)) {
      return false;
    }
    auto counted = counts_.find(fault.what);
    fault.at += counted == counts_.end() ? 0 : counted->second;
    fault.error = static_cast<int>(error);
    values.faults.push_back(fault);
    return true;
  }
  if (!ParseNumber(value, number)) return false;
  if (name == "devices" && number <= kMaxDevices) {
    values.devices = static_cast<int>(number);
  } else if (name == "driver") {
    values.driver = static_cast<int>(number);
  } else if (name == "pause") {
    values.max_pause_us = static_cast<int>(number);
  } else {
    return false;
  }
  return true;
}

int Settings::devices() const {
  std::lock_guard lock(mutex_);
  return values_.devices;
}

int64_t Settings::memory() const {
  std::lock_guard lock(mutex_);
  return values_.memory;
}

int Settings::driver() const {
  std::lock_guard lock(mutex_);
  return values_.driver;
}

int Settings::max_pause_us() const {
  std::lock_guard lock(mutex_);
  return values_.max_pause_us;
}

int Settings::Count(const std::string& what) {
  std::lock_guard lock(mutex_);
  int64_t count = ++counts_[what];
  for (const Fault& fault : values_.faults) {
    if (fault.what == what && fault.at == count) return fault.error;
  }
  return 0;
}

int64_t Settings::Counted(const std::string& what) const {
  std::lock_guard lock(mutex_);
  auto counted = counts_.find(what);
  return counted == counts_.end() ? 0 : counted->second;
}

void Settings::AwaitRelease() {
  std::unique_lock lock(mutex_);
  released_.wait(lock, [this] { return !values_.is_held; });
}

}  // namespace lockstep::internal::cuda
