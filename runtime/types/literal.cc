#include "runtime/types/literal.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "runtime/base/large_pages.h"

namespace lockstep {

using internal::UseLargePages;

namespace {

constexpr size_t kAlignment = 64;

// Zeroed bytes aligned to kAlignment, null when there is no memory. calloc
// leaves the pages of large blocks untouched. The start of the block that
// calloc gave lies just before the returned pointer.
std::byte* AllocateZeros(int64_t size) {
  constexpr int64_t kSpace = kAlignment + sizeof(void*);
  if (size > std::numeric_limits<int64_t>::max() - kSpace) return nullptr;
  void* block = std::calloc(1, static_cast<size_t>(size + kSpace));
  if (block == nullptr) return nullptr;
  const uintptr_t start = reinterpret_cast<uintptr_t>(block) + sizeof(void*);
  std::byte* aligned = reinterpret_cast<std::byte*>((start + kAlignment - 1) /
                                                    kAlignment * kAlignment);
  std::memcpy(aligned - sizeof(void*), &block, sizeof(void*));
  UseLargePages(aligned, size);
  return aligned;
}

}  // namespace

void Literal::Free::operator()(std::byte* p) const {
  if (owner != nullptr) return;
  void* block;
  std::memcpy(&block, p - sizeof(void*), sizeof(void*));
  std::free(block);
}

Literal::Literal(const Shape& shape)
    : Literal(shape, AllocateZeros(shape.byte_size())) {
  LOCKSTEP_CHECK(data_ != nullptr);
}

absl::StatusOr<Literal> Literal::Allocate(const Shape& shape) {
  std::byte* data = AllocateZeros(shape.byte_size());
  if (data == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat(shape.ToString(), " needs ", shape.byte_size(),
                     " bytes of host memory, which are not available"));
  }
  return Literal(shape, data);
}

Literal::Literal(const Literal& other)
    : Literal(other.is_shared()
                  ? Share(other.view(), other.data_.get_deleter().owner)
                  : CopyOf(other.view())) {}

Literal& Literal::operator=(const Literal& other) {
  if (this != &other) *this = Literal(other);
  return *this;
}

Literal Literal::Share(const LiteralView& view,
                       std::shared_ptr<const void> owner) {
  LOCKSTEP_CHECK(owner != nullptr);
  // Not written to: mutable_bytes gives a copy.
  return Literal(view.shape(), const_cast<std::byte*>(view.bytes()),
                 {std::move(owner)});
}

Literal Literal::CopyOf(const LiteralView& view) {
  Literal copy(view.shape());
  if (view.shape().byte_size() > 0) {
    std::memcpy(copy.mutable_bytes(), view.bytes(), view.shape().byte_size());
  }
  return copy;
}

bool operator==(const Literal& a, const Literal& b) {
  return a.shape() == b.shape() &&
         (a.shape().byte_size() == 0 ||
          std::memcmp(a.bytes(), b.bytes(), a.shape().byte_size()) == 0);
}

}  // namespace lockstep
