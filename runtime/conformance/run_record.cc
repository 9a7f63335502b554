#include "runtime/conformance/run_record.h"

#include <utility>

namespace lockstep::internal {

void RunRecord::AddProbe(const std::string& id, const LiteralView& value) {
  auto copy = std::make_unique<const Literal>(Literal::CopyOf(value));
  absl::MutexLock lock(&mutex_);
  probes_[id].push_back(std::move(copy));
}

const Literal* RunRecord::FindProbe(const std::string& id, int64_t n) const {
  absl::MutexLock lock(&mutex_);
  const auto found = probes_.find(id);
  if (found == probes_.end() || n < 0 ||
      n >= static_cast<int64_t>(found->second.size())) {
    return nullptr;
  }
  return found->second[n].get();
}

void RunRecord::AddText(const std::string& text) {
  absl::MutexLock lock(&mutex_);
  text_ += text;
}

std::string RunRecord::text() const {
  absl::MutexLock lock(&mutex_);
  return text_;
}

}  // namespace lockstep::internal
