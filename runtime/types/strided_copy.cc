#include "runtime/types/strided_copy.h"

#include <complex>
#include <cstring>

#include "absl/container/inlined_vector.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

struct CopyDim {
  int64_t size;
  int64_t source;
  int64_t target;
};
using CopyDims = absl::InlinedVector<CopyDim, 6>;

// Drops dimensions of one element and merges neighbours that are contiguous on
// both sides.
CopyDims Collapse(absl::Span<const int64_t> dims,
                  absl::Span<const int64_t> source,
                  absl::Span<const int64_t> target) {
  CopyDims collapsed;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (!collapsed.empty()) {
      CopyDim& last = collapsed.back();
      if (last.source == source[i] * dims[i] &&
          last.target == target[i] * dims[i]) {
        last = {last.size * dims[i], source[i], target[i]};
        continue;
      }
    }
    collapsed.push_back({dims[i], source[i], target[i]});
  }
  return collapsed;
}

template <typename T>
void CopyRow(const CopyDim& dim, const T* source, T* target) {
  if (dim.target == 1 && dim.source == 1) {
    std::memcpy(target, source, dim.size * sizeof(T));
  } else if (dim.target == 1 && dim.source == 0) {
    const T value = *source;
    for (int64_t i = 0; i < dim.size; ++i) target[i] = value;
  } else {
    for (int64_t i = 0; i < dim.size; ++i) {
      target[i * dim.target] = source[i * dim.source];
    }
  }
}

template <typename T>
void CopyBox(absl::Span<const CopyDim> dims, const T* source, T* target) {
  if (dims.empty()) {
    *target = *source;
  } else if (dims.size() == 1) {
    CopyRow(dims[0], source, target);
  } else {
    for (int64_t i = 0; i < dims[0].size; ++i) {
      CopyBox(dims.subspan(1), source + i * dims[0].source,
              target + i * dims[0].target);
    }
  }
}

// Elements are moved as unsigned integers, which keeps their bits.
template <typename F>
void DispatchSize(int64_t element_size, F f) {
  switch (element_size) {
    case 1:
      return f(uint8_t());
    case 2:
      return f(uint16_t());
    case 4:
      return f(uint32_t());
    case 8:
      return f(uint64_t());
    case 16:
      struct alignas(8) Sixteen {
        uint64_t low, high;
      };
      return f(Sixteen());
  }
  CheckFailed(__FILE__, __LINE__, "no element has this size");
}

}  // namespace

void StridedCopy(int64_t element_size, absl::Span<const int64_t> dims,
                 StridedSource source, StridedTarget target) {
  for (int64_t dim : dims) {
    if (dim == 0) return;
  }
  const CopyDims collapsed = Collapse(dims, source.strides, target.strides);
  DispatchSize(element_size, [&]<typename T>(T) {
    CopyBox<T>(collapsed, reinterpret_cast<const T*>(source.data),
               reinterpret_cast<T*>(target.data));
  });
}

void FillElements(int64_t element_size, const std::byte* element,
                  std::byte* target, int64_t count) {
  const int64_t source_stride = 0;
  const int64_t target_stride = 1;
  StridedCopy(element_size, {count}, {element, {&source_stride, 1}},
              {target, {&target_stride, 1}});
}

}  // namespace lockstep::internal
