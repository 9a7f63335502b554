#ifndef LOCKSTEP_CLIENT_JIT_STATIC_VALUE_H_
#define LOCKSTEP_CLIENT_JIT_STATIC_VALUE_H_

#include <concepts>
#include <memory>
#include <type_traits>
#include <typeinfo>

namespace lockstep::internal {

// A static argument of a function, as what it was compiled for: of any type
// that can be compared, or has no state, as functions without captures. A value
// type.
class StaticValue {
 public:
  template <typename T>
  explicit StaticValue(const T& value)
      : value_(std::make_shared<Holder<T>>(value)) {
    static_assert(std::equality_comparable<T> || std::is_empty_v<T>,
                  "a static argument must have operator==");
  }
  friend bool operator==(const StaticValue& a, const StaticValue& b) {
    return a.value_->IsEqual(*b.value_);
  }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual bool IsEqual(const Base& other) const = 0;
  };
  template <typename T>
  struct Holder : Base {
    explicit Holder(const T& held) : value(held) {}
    bool IsEqual(const Base& other) const override {
      if (typeid(other) != typeid(Holder)) return false;
      if constexpr (std::equality_comparable<T>) {
        return value == static_cast<const Holder&>(other).value;
      } else {
        return true;
      }
    }
    const T value;
  };

  std::shared_ptr<const Base> value_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_STATIC_VALUE_H_
