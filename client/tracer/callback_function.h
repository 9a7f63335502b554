#ifndef LOCKSTEP_CLIENT_TRACER_CALLBACK_FUNCTION_H_
#define LOCKSTEP_CLIENT_TRACER_CALLBACK_FUNCTION_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/types/literal.h"

// What callbacks.h takes as a function.

namespace lockstep::internal {

using LiteralList = std::vector<Literal>;

// A function of the host in the one form that a trace keeps.
struct CallbackFunction {
  std::function<absl::StatusOr<LiteralList>(const LiteralList& values)> call;
  // How many values it takes; none: any number.
  std::optional<size_t> value_count;
};

// What a callback returned, as a list.
inline absl::StatusOr<LiteralList> ToList(absl::Status status) {
  if (!status.ok()) return status;
  return LiteralList();
}
inline absl::StatusOr<LiteralList> ToList(LiteralList values) { return values; }
inline absl::StatusOr<LiteralList> ToList(Literal value) {
  LiteralList values;
  values.push_back(std::move(value));
  return values;
}
template <typename T>
absl::StatusOr<LiteralList> ToList(absl::StatusOr<T> result) {
  if (!result.ok()) return result.status();
  return ToList(*std::move(result));
}

template <typename F, typename... Values>
absl::StatusOr<LiteralList> CallWith(F& function, const Values&... values) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&, const Values&...>>) {
    function(values...);
    return LiteralList();
  } else {
    return ToList(function(values...));
  }
}

template <size_t>
using LiteralAt = const Literal&;

inline constexpr size_t kMaxCallbackValues = 12;

// Whether what `F` takes has types: it is not a generic lambda, whose parameter
// can be anything, a list too.
template <typename F>
concept HasParameterTypes = !std::is_class_v<F> || requires { &F::operator(); };

// How many single literals `F` takes; beyond the most: it takes none.
template <typename F, size_t... I>
constexpr size_t LiteralCount(std::index_sequence<I...>) {
  if constexpr (std::is_invocable_v<F&, LiteralAt<I>...>) {
    return sizeof...(I);
  } else if constexpr (sizeof...(I) < kMaxCallbackValues) {
    return LiteralCount<F>(std::make_index_sequence<sizeof...(I) + 1>());
  } else {
    return kMaxCallbackValues + 1;
  }
}

template <typename F, size_t... I>
absl::StatusOr<LiteralList> CallWithEach(F& function, const LiteralList& values,
                                         std::index_sequence<I...>) {
  return CallWith(function, values[I]...);
}

// Whether `F` takes all values as one list. Single ones go before a list where
// `F` has no types.
template <typename F>
constexpr bool TakesList() {
  if constexpr (HasParameterTypes<F>) {
    return std::is_invocable_v<F&, const LiteralList&>;
  } else {
    return LiteralCount<F>(std::make_index_sequence<0>()) > kMaxCallbackValues;
  }
}

template <typename F>
CallbackFunction ToCallbackFunction(F&& function) {
  using Function = std::decay_t<F>;
  // Copies of a std::function share it: devices call one object.
  auto shared = std::make_shared<Function>(std::forward<F>(function));
  if constexpr (TakesList<Function>()) {
    static_assert(std::is_invocable_v<Function&, const LiteralList&>,
                  "a callback takes const Literal&, one for each operand, or a "
                  "const std::vector<Literal>&");
    return {[shared](const LiteralList& values) {
              return CallWith(*shared, values);
            },
            std::nullopt};
  } else {
    constexpr size_t count =
        LiteralCount<Function>(std::make_index_sequence<0>());
    static_assert(count <= kMaxCallbackValues,
                  "a callback takes const Literal&, one for each operand, or a "
                  "const std::vector<Literal>&");
    static_assert(HasParameterTypes<Function> || count > 0 ||
                      !std::is_invocable_v<Function&, const Literal&>,
                  "a callback takes so many values: write a const "
                  "std::vector<Literal>& in the place of a parameter pack");
    return {[shared](const LiteralList& values) {
              return CallWithEach(*shared, values,
                                  std::make_index_sequence<count>());
            },
            count};
  }
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_CALLBACK_FUNCTION_H_
