#ifndef LOCKSTEP_RUNTIME_MESH_SHARD_INDEX_H_
#define LOCKSTEP_RUNTIME_MESH_SHARD_INDEX_H_

#include <compare>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"

namespace lockstep {

// The elements [start, stop) of a dimension, or all of it, without bounds. A
// value type. Ordered by (start, stop); all of a dimension comes first.
class IndexSlice {
 public:
  // All of the dimension.
  constexpr IndexSlice() = default;
  constexpr IndexSlice(int64_t start, int64_t stop)
      : start_(start), stop_(stop) {}
  static constexpr IndexSlice All() { return IndexSlice(); }

  constexpr bool is_all() const { return start_ < 0; }
  constexpr int64_t start() const { return is_all() ? 0 : start_; }
  // In a dimension of `size` elements.
  constexpr int64_t stop(int64_t size) const { return is_all() ? size : stop_; }

  // "0:4", "ALL".
  std::string ToString() const;
  friend constexpr auto operator<=>(IndexSlice, IndexSlice) = default;
  template <typename H>
  friend H AbslHashValue(H h, IndexSlice s) {
    return H::combine(std::move(h), s.start_, s.stop_);
  }
  friend std::ostream& operator<<(std::ostream& os, IndexSlice slice) {
    return os << slice.ToString();
  }

 private:
  int64_t start_ = -1;  // -1: all
  int64_t stop_ = -1;
};

// Which elements of an array a shard holds: a slice per dimension.
using ShardIndex = absl::InlinedVector<IndexSlice, 4>;

// "(0:4, ALL)".
std::string ShardIndexText(const ShardIndex& index);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_SHARD_INDEX_H_
