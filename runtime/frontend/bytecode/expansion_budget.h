#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_EXPANSION_BUDGET_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_EXPANSION_BUDGET_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/frontend/bytecode/byte_reader.h"

namespace lockstep::internal {

// What a file may stand for, in bytes. Its tables are shared: a few bytes may
// name a string, a type or an attribute as often as they like, and the module
// holds each anew, in memory or in its text. Used by one thread.
class ExpansionBudget {
 public:
  explicit ExpansionBudget(uint64_t file_bytes)
      : limit_(kLeast + kPerByte * file_bytes), left_(limit_) {}

  uint64_t limit() const { return limit_; }
  // INVALID_ARGUMENT when nothing is left; `at` is the place.
  absl::Status Spend(const ByteReader& at, uint64_t bytes) {
    if (bytes <= left_) {
      left_ -= bytes;
      return absl::OkStatus();
    }
    left_ = 0;
    return at.Error(absl::StrCat("expected a module of at most ", limit_,
                                 " bytes, found more"));
  }

 private:
  static constexpr uint64_t kLeast = uint64_t{64} << 20;
  static constexpr uint64_t kPerByte = 256;

  const uint64_t limit_;
  uint64_t left_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_EXPANSION_BUDGET_H_
