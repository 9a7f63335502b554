#include "runtime/executable/buffer_use.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

std::string BufferSlice::ToString() const {
  return absl::StrCat("a", allocation, "[", offset, ",", offset + size, ")");
}

}  // namespace lockstep::internal
