#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_ONE_HOST_EXCHANGE_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_ONE_HOST_EXCHANGE_H_

#include <concepts>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"
#include "client/global_arrays/host_exchange.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"

// Values of all hosts to one of them, and back: by the rules and with the
// errors of host_exchange.h (spec M-13). INVALID_ARGUMENT besides: hosts name
// different hosts, or one that is not among those of the call.

namespace lockstep {
namespace internal {

absl::StatusOr<Tree<Array>> ScatterTrees(const std::vector<Tree<Array>>& values,
                                         int host,
                                         const ExchangeOptions& options);

}  // namespace internal

// On `host`: the values of all hosts in the order of their ids, (hosts,
// shape...); they go to no other. On the others none, when their values are on
// the way.
absl::StatusOr<std::optional<Tree<Array>>> gather_to_host(
    const Tree<Array>& values, int host, const ExchangeOptions& options = {});
absl::StatusOr<std::optional<Array>> gather_to_host(
    const Array& value, int host, const ExchangeOptions& options = {});
template <internal::ContainerOf<Array> T>
auto gather_to_host(const T& values, int host,
                    const ExchangeOptions& options = {}) {
  const absl::StatusOr<std::optional<Tree<Array>>> gathered =
      gather_to_host(internal::TreeOf<Array>(values), host, options);
  const auto as_given = [&] {
    return internal::CallOnTree<Array>(
        values, [&](const Tree<Array>&) -> absl::StatusOr<Tree<Array>> {
          return **gathered;
        });
  };
  using Value = typename decltype(as_given())::value_type;
  using Result = absl::StatusOr<std::optional<Value>>;
  if (!gathered.ok()) return Result(gathered.status());
  if (!gathered->has_value()) return Result(std::nullopt);
  return Result(*as_given());
}

// Entry h of `values` on `host` for the h-th host of the call, each of which
// gets no other. The entries have one form, shapes and element types, of which
// the other hosts need not know; what they pass is not looked at.
// INVALID_ARGUMENT: not one entry for each host; entries that differ: names
// both and the leaf. As with every error of `host`, the others get ABORTED.
absl::StatusOr<Array> scatter_from_host(const std::vector<Array>& values,
                                        int host,
                                        const ExchangeOptions& options = {});
template <std::same_as<Tree<Array>> T>
absl::StatusOr<Tree<Array>> scatter_from_host(
    const std::vector<T>& values, int host,
    const ExchangeOptions& options = {}) {
  return internal::ScatterTrees(values, host, options);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_ONE_HOST_EXCHANGE_H_
