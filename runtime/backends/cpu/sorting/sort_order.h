#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_SORTING_SORT_ORDER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_SORTING_SORT_ORDER_H_

#include <optional>
#include <vector>

#include "runtime/ir/op.h"

namespace lockstep::internal {

// One operand whose elements, as numbers, decide about the order.
struct SortKey {
  int operand = 0;
  ElementType type = ElementType::kF32;
  bool is_descending = false;
  // Of floats, which are else in IEEE 754's totalOrder: zeros of both signs are
  // equal; all NaNs are equal, and the largest; no NaN may occur.
  bool merges_zeros = false;
  bool merges_nans = false;
  bool excludes_nans = false;
};

// The keys of a comparator that is `lhs < rhs` or `lhs > rhs` of them, the most
// significant first; nothing for other comparators.
std::optional<std::vector<SortKey>> MatchSortOrder(const Region& comparator);

// Whether elements of the type can be keys.
bool CanBeSortKey(ElementType type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_SORTING_SORT_ORDER_H_
