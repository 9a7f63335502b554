#ifndef LOCKSTEP_CLIENT_TRACER_HOLDS_TENSORS_H_
#define LOCKSTEP_CLIENT_TRACER_HOLDS_TENSORS_H_

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "client/tracer/tensor.h"
#include "client/trees/tree.h"
#include "client/trees/tree_fields.h"

namespace lockstep::internal {

// Whether T is a tensor, or a container of tensors: an argument of what happens
// within a traced function.
template <typename T>
constexpr bool kHoldsTensors = std::is_same_v<T, Tensor>;
template <typename T, typename A>
constexpr bool kHoldsTensors<std::vector<T, A>> = kHoldsTensors<T>;
template <typename T>
constexpr bool kHoldsTensors<std::optional<T>> = kHoldsTensors<T>;
template <typename T>
constexpr bool kHoldsTensors<Tree<T>> = kHoldsTensors<T>;
template <typename T, typename C, typename A>
constexpr bool kHoldsTensors<std::map<std::string, T, C, A>> = kHoldsTensors<T>;
template <typename... Ts>
constexpr bool kHoldsTensors<std::tuple<Ts...>> =
    (kHoldsTensors<std::decay_t<Ts>> || ...);
template <typename A, typename B>
constexpr bool kHoldsTensors<std::pair<A, B>> =
    kHoldsTensors<A> || kHoldsTensors<B>;
template <TreeStruct T>
constexpr bool kHoldsTensors<T> =
    kHoldsTensors<decltype(std::declval<const T&>().TreeFields())>;
// Its members may be of its own type.
template <template <typename> class S, typename T>
  requires TreeStruct<S<T>>
constexpr bool kHoldsTensors<S<T>> = kHoldsTensors<T>;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_HOLDS_TENSORS_H_
