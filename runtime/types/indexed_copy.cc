#include "runtime/types/indexed_copy.h"

#include <cstring>

#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

// Calls f with the element size as a constant.
template <typename F>
void DispatchSize(int64_t element_size, F f) {
  switch (element_size) {
    case 1:
      return f(std::integral_constant<int64_t, 1>());
    case 2:
      return f(std::integral_constant<int64_t, 2>());
    case 4:
      return f(std::integral_constant<int64_t, 4>());
    case 8:
      return f(std::integral_constant<int64_t, 8>());
    case 16:
      return f(std::integral_constant<int64_t, 16>());
  }
  CheckFailed(__FILE__, __LINE__, "unknown element size");
}

}  // namespace

void CopyFromIndices(int64_t element_size, const std::byte* source,
                     absl::Span<const int64_t> indices, std::byte* target) {
  DispatchSize(element_size, [&](auto size) {
    for (size_t i = 0; i < indices.size(); ++i) {
      std::memcpy(target + i * size, source + indices[i] * size, size);
    }
  });
}

void CopyToIndices(int64_t element_size, const std::byte* source,
                   absl::Span<const int64_t> indices, std::byte* target) {
  DispatchSize(element_size, [&](auto size) {
    for (size_t i = 0; i < indices.size(); ++i) {
      std::memcpy(target + indices[i] * size, source + i * size, size);
    }
  });
}

}  // namespace lockstep::internal
