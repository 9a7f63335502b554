#ifndef LOCKSTEP_RUNTIME_BASE_STRONG_INT_H_
#define LOCKSTEP_RUNTIME_BASE_STRONG_INT_H_

#include <compare>
#include <cstdint>
#include <ostream>
#include <utility>

namespace lockstep::internal {

// An integer that does not mix with integers of other meanings. Ordered,
// hashable, printable; arithmetic goes through value().
//
//   struct HostIdTag {};
//   using HostId = StrongInt<HostIdTag, int32_t>;
template <typename Tag, typename T>
class StrongInt {
 public:
  using ValueType = T;

  constexpr StrongInt() = default;
  constexpr explicit StrongInt(T value) : value_(value) {}

  constexpr T value() const { return value_; }

  friend constexpr auto operator<=>(StrongInt, StrongInt) = default;
  friend constexpr bool operator==(StrongInt, StrongInt) = default;

  template <typename H>
  friend H AbslHashValue(H h, StrongInt id) {
    return H::combine(std::move(h), id.value_);
  }
  friend std::ostream& operator<<(std::ostream& os, StrongInt id) {
    return os << +id.value_;
  }

 private:
  T value_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_STRONG_INT_H_
