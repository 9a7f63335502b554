#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_SORTING_SORT_KEYS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_SORTING_SORT_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/backends/cpu/sorting/sort_order.h"

namespace lockstep::internal {

// The elements of one lane: `stride` elements apart.
struct SortLane {
  const std::byte* data = nullptr;
  int64_t stride = 1;
};

// Bytes of scratch memory that the functions below use for `size` elements; at
// least those of two lists of positions.
int64_t SortScratchBytes(const std::vector<SortKey>& keys, int64_t size);

// The positions of a lane's `size` elements (fewer than 2^32) in the order of
// `keys`, stable. lanes[operand] are what is compared. False when a key
// excludes NaNs and there is one; `order` is then undefined.
bool SortByKeys(const std::vector<SortKey>& keys,
                const std::vector<SortLane>& lanes, int64_t size,
                std::byte* scratch, uint32_t* order);

// Sorts elements that are their own key into `to`. False when elements that
// count as equal differ (zeros of two signs) or NaNs are excluded and there is
// one; `to` is then undefined.
bool SortElements(const SortKey& key, const SortLane& lane, int64_t size,
                  std::byte* scratch, std::byte* to, int64_t to_stride);

// The positions of the first `count` in the order of `key`.
void SelectByKey(const SortKey& key, const SortLane& lane, int64_t size,
                 int64_t count, std::byte* scratch, uint32_t* order);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_SORTING_SORT_KEYS_H_
