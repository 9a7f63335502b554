#ifndef LOCKSTEP_CLIENT_JIT_JIT_ARGUMENTS_H_
#define LOCKSTEP_CLIENT_JIT_JIT_ARGUMENTS_H_

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "client/arrays/array.h"
#include "client/jit/jit_call.h"
#include "client/jit/jit_program.h"
#include "client/pmap/argument_tree.h"
#include "client/tracer/tensor.h"
#include "client/trees/tree_conversion.h"
#include "client/trees/tree_walk.h"

// Which arguments of a call are arrays and which the function takes as they
// are. What is no array, no number and no container of them is static. A number
// is static where the function takes its C++ type in the place of a tensor.

namespace lockstep::internal {

template <typename T>
concept ArrayArgument =
    std::is_convertible_v<const T&, Array> || HostScalar<T> || kIsTreeNode<T>;

// What the function gets for an argument of type T.
template <typename T, bool kIsStatic>
struct Traced {
  using Type = T;
};
template <typename T>
struct Traced<T, false> {
  using Type = decltype(ToTensors(std::declval<const T&>(),
                                  std::declval<TensorCursor&>()));
};

// Bit i of `mask`: argument i is static.
template <typename F, uint64_t mask, typename Indices, typename... Args>
struct TakesMasked;
template <typename F, uint64_t mask, size_t... I, typename... Args>
struct TakesMasked<F, mask, std::index_sequence<I...>, Args...>
    : std::is_invocable<const F&,
                        typename Traced<Args, (mask >> I & 1) != 0>::Type...> {
};

// The first mask, from the one with only `needed` on, with which the function
// can be called; `needed` if there is none. `numbers`: those that may be static
// too.
template <typename F, uint64_t needed, uint64_t numbers, uint64_t chosen,
          typename... Args>
constexpr uint64_t StaticMask() {
  if constexpr (TakesMasked < F, needed | chosen,
                std::index_sequence_for<Args...>, Args... > ::value) {
    return needed | chosen;
  } else if constexpr (chosen == numbers) {
    return needed;
  } else {
    // The next subset of `numbers`.
    return StaticMask<F, needed, numbers, ((chosen | ~numbers) + 1) & numbers,
                      Args...>();
  }
}

template <typename F, typename... Args>
constexpr uint64_t kStaticMask = [] {
  constexpr auto bits = []<size_t... I>(std::index_sequence<I...>) {
    return std::array<uint64_t, 2>{
        (uint64_t{0} | ... |
         (ArrayArgument<Args> ? uint64_t{0} : uint64_t{1} << I)),
        (uint64_t{0} | ... |
         (HostScalar<Args> ? uint64_t{1} << I : uint64_t{0}))};
  }(std::index_sequence_for<Args...>());
  return StaticMask<F, bits[0], bits[1], 0, Args...>();
}();

// The arguments of one call.
template <typename F, typename... Args>
class JitCallArguments {
 public:
  static constexpr uint64_t kMask = kStaticMask<F, Args...>;
  template <size_t I>
  static constexpr bool kIsStatic = (kMask >> I & 1) != 0;

  explicit JitCallArguments(const Args&... args) : values_(args...) {
    Each([&]<size_t I>(const auto& value) {
      signature.types.push_back(TypeName(value));
      signature.is_static.push_back(kIsStatic<I>);
      if constexpr (kIsStatic<I>) {
        signature.static_values.emplace_back(value);
        signature.form += std::string(typeid(value).name()) + ";";
      } else {
        // Counted as the list of shardings counts them.
        AppendLeaves(value, std::to_string(structure_.size()),
                     static_cast<int>(I), arguments.leaves);
        using P = ArgumentLeaves;
        structure_.push_back(ToTree<P, size_t>(
            value, [&](const auto&) { return leaf_count_++; }));
        AppendForm(value, signature.form);
      }
    });
    signature.form += typeid(JitCallArguments).name();
    arguments.structure = Tree<size_t>::List(std::move(structure_));
  }

  // The function with tensors in the place of arrays.
  auto Call(const F& function, const std::vector<Tensor>& inputs) const {
    TensorCursor cursor(inputs);
    return std::apply(function, ToTraced(cursor, kIndices));
  }

  JitArguments arguments;
  JitSignature signature;

 private:
  static constexpr std::index_sequence_for<Args...> kIndices{};

  template <typename V>
  void Each(const V& visit) {
    [&]<size_t... I>(std::index_sequence<I...>) {
      (visit.template operator()<I>(std::get<I>(values_)), ...);
    }(kIndices);
  }
  template <typename T>
  static std::string TypeName(const T&);
  template <size_t I>
  auto ToTracedOne(TensorCursor& cursor) const {
    if constexpr (kIsStatic<I>) {
      return std::get<I>(values_);
    } else {
      return ToTensors(std::get<I>(values_), cursor);
    }
  }
  template <size_t... I>
  auto ToTraced(TensorCursor& cursor, std::index_sequence<I...>) const {
    // Braces evaluate from left to right.
    return std::tuple<decltype(ToTracedOne<I>(cursor))...>{
        ToTracedOne<I>(cursor)...};
  }

  std::tuple<const Args&...> values_;
  Tree<size_t>::ListType structure_;
  size_t leaf_count_ = 0;
};

// "std::string", as the compiler names it.
std::string ReadableName(const std::type_info& type);

template <typename F, typename... Args>
template <typename T>
std::string JitCallArguments<F, Args...>::TypeName(const T&) {
  return ReadableName(typeid(T));
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_JIT_ARGUMENTS_H_
