#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_RAGGED_EXCHANGE_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_RAGGED_EXCHANGE_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/arrays/array.h"
#include "client/global_arrays/host_exchange.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"

// Values from host to host that are not equally large on all, and strings: by
// the rules and with the errors of host_exchange.h (spec M-13).

namespace lockstep {

// What each host has, in the order of their ids: hosts may have leaves of
// different sizes in dimension 0, also of 0 rows.
absl::StatusOr<std::vector<Tree<Array>>> process_allgather_ragged(
    const Tree<Array>& values, const ExchangeOptions& options = {});
absl::StatusOr<std::vector<Array>> process_allgather_ragged(
    const Array& value, const ExchangeOptions& options = {});
absl::StatusOr<std::vector<std::string>> process_allgather_ragged(
    const std::string& text, const ExchangeOptions& options = {});
template <internal::ContainerOf<Array> T>
auto process_allgather_ragged(const T& values,
                              const ExchangeOptions& options = {}) {
  const absl::StatusOr<std::vector<Tree<Array>>> of_hosts =
      process_allgather_ragged(internal::TreeOf<Array>(values), options);
  const auto as_given = [&](const Tree<Array>& tree) {
    return internal::CallOnTree<Array>(
        values, [&](const Tree<Array>&) -> absl::StatusOr<Tree<Array>> {
          return tree;
        });
  };
  using Value = typename decltype(as_given(Tree<Array>()))::value_type;
  using Result = absl::StatusOr<std::vector<Value>>;
  if (!of_hosts.ok()) return Result(of_hosts.status());
  std::vector<Value> results;
  for (const Tree<Array>& tree : *of_hosts) {
    results.push_back(*as_given(tree));
  }
  return Result(std::move(results));
}

// The text of the source on every host; the others' may be of another length.
absl::StatusOr<std::string> broadcast_one_to_all(
    const std::string& text, std::optional<bool> is_source = {},
    const ExchangeOptions& options = {});

// The bytes of a string as a leaf of a tree: of uint8, (size).
Array bytes_to_array(absl::string_view bytes);
// Waits. INVALID_ARGUMENT: not of uint8.
absl::StatusOr<std::string> array_to_bytes(const Array& array);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_RAGGED_EXCHANGE_H_
