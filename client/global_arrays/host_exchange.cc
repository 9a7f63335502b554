#include "client/global_arrays/host_exchange.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/global_arrays/exchange_call.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"
#include "runtime/types/element_text.h"

namespace lockstep {

using internal::ExchangeCall;
using internal::ExchangeLeaf;
using internal::ExchangeLeavesOf;
using internal::FetchLeaves;
using internal::IsOfAllHosts;
using internal::OwnedTensor;
using internal::TupleText;
using internal::WithLeaves;

namespace {

// (hosts, n, dims...) as (hosts * n, dims...).
Literal Joined(Literal gathered) {
  const absl::Span<const int64_t> dims = gathered.shape().dims();
  if (dims.size() < 2) return gathered;
  std::vector<int64_t> joined(dims.begin() + 1, dims.end());
  joined[0] *= dims[0];
  const Shape shape(gathered.shape().element_type(), joined);
  return Literal::CopyOf(LiteralView(shape, gathered.bytes()));
}

absl::StatusOr<Array> GatherGlobal(const ExchangeCall& exchange,
                                   const Array& value, bool tiled) {
  if (!tiled) {
    return absl::InvalidArgumentError(
        absl::StrCat("an array of global shape, ", value.sharding().ToString(),
                     ", is gathered whole: pass tiled = true"));
  }
  ASSIGN_OR_RETURN(Literal whole, exchange.GatherGlobal(value));
  return Array(std::move(whole));
}

// The first position in which the rows of two hosts differ.
int64_t FirstDifference(const Literal& rows, int64_t a, int64_t b) {
  const int64_t size =
      rows.shape().byte_size() / std::max<int64_t>(rows.shape().dim(0), 1);
  const int64_t element = ByteSize(rows.shape().element_type());
  for (int64_t i = 0; i < size; i += element) {
    if (std::memcmp(rows.bytes() + a * size + i, rows.bytes() + b * size + i,
                    element) != 0) {
      return i / element;
    }
  }
  return -1;
}

std::vector<int64_t> IndexOf(int64_t position, absl::Span<const int64_t> dims) {
  std::vector<int64_t> index(dims.size());
  for (size_t dim = dims.size(); dim-- > 0;) {
    index[dim] = position % dims[dim];
    position /= dims[dim];
  }
  return index;
}

// `digests`: by host, then 16 bytes for each leaf.
absl::Status DifferenceOf(const ExchangeCall& exchange,
                          const ExchangeLeaf& leaf, const Literal& digests,
                          size_t leaf_place) {
  const int64_t hosts = exchange.host_count();
  const int64_t row = digests.shape().dim(1);
  std::map<std::string, std::vector<int64_t>> classes;
  std::vector<std::string> order;
  for (int64_t host = 0; host < hosts; ++host) {
    const std::string digest(reinterpret_cast<const char*>(digests.bytes()) +
                                 host * row +
                                 leaf_place * sizeof(XXH128_canonical_t),
                             sizeof(XXH128_canonical_t));
    if (classes[digest].empty()) order.push_back(digest);
    classes[digest].push_back(host);
  }
  if (order.size() == 1) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Literal rows, exchange.Gather(leaf.tensor));
  const int64_t a = classes[order[0]][0];
  const int64_t b = classes[order[1]][0];
  const int64_t position = FirstDifference(rows, a, b);
  const ElementType type = leaf.value.dtype();
  const auto value = [&](int64_t host) {
    const int64_t element = host * leaf.value.size() + position;
    return internal::FormatElement(type,
                                   rows.bytes() + element * ByteSize(type));
  };
  std::vector<std::string> groups;
  for (const std::string& digest : order) {
    groups.push_back(
        absl::StrCat("[", exchange.HostsText(classes[digest]), "]"));
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "assert_equal: ", leaf.path.empty() ? "the value" : leaf.path,
      " differs between hosts, which agree as ", absl::StrJoin(groups, " "),
      "; the first element that differs is ",
      TupleText(IndexOf(position, leaf.value.shape().dims())), ": ", value(a),
      " on ", exchange.view()->HostText(exchange.host(a)), ", ", value(b),
      " on ", exchange.view()->HostText(exchange.host(b))));
}

}  // namespace

absl::StatusOr<Tree<Array>> process_allgather(
    const Tree<Array>& values, const GatherHostsOptions& options) {
  ASSIGN_OR_RETURN(const ExchangeCall exchange,
                   ExchangeCall::Create("process_allgather", options.exchange));
  std::vector<ExchangeLeaf> leaves = ExchangeLeavesOf(values);
  const absl::Status fetched = FetchLeaves(leaves, /*takes_global=*/true);
  RETURN_IF_ERROR(exchange.AgreeOnLeaves(leaves, fetched));
  std::vector<Array> results;
  for (const ExchangeLeaf& leaf : leaves) {
    if (IsOfAllHosts(leaf.value)) {
      auto whole = GatherGlobal(exchange, leaf.value, options.tiled);
      if (!whole.ok()) {
        return internal::Annotate(
            whole.status(), leaf.path.empty() ? exchange.name() : leaf.path);
      }
      results.push_back(*std::move(whole));
      continue;
    }
    ASSIGN_OR_RETURN(Literal gathered, exchange.Gather(leaf.tensor));
    results.push_back(options.tiled ? Array(Joined(std::move(gathered)))
                                    : Array(std::move(gathered)));
  }
  return WithLeaves(values, std::move(results));
}

absl::StatusOr<Array> process_allgather(const Array& value,
                                        const GatherHostsOptions& options) {
  ASSIGN_OR_RETURN(const Tree<Array> tree,
                   process_allgather(Tree<Array>(value), options));
  return tree.leaf();
}

absl::StatusOr<Tree<Array>> broadcast_one_to_all(
    const Tree<Array>& values, std::optional<bool> is_source,
    const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const ExchangeCall exchange,
                   ExchangeCall::Create("broadcast_one_to_all", options));
  std::vector<ExchangeLeaf> leaves = ExchangeLeavesOf(values);
  const absl::Status fetched = FetchLeaves(leaves, /*takes_global=*/false);
  RETURN_IF_ERROR(exchange.AgreeOnLeaves(leaves, fetched));
  ASSIGN_OR_RETURN(const int64_t source, exchange.FindSource(is_source));
  std::vector<Array> results;
  for (const ExchangeLeaf& leaf : leaves) {
    ASSIGN_OR_RETURN(Literal received, exchange.Broadcast(leaf.tensor, source));
    results.push_back(Array(std::move(received)));
  }
  return WithLeaves(values, std::move(results));
}

absl::StatusOr<Array> broadcast_one_to_all(const Array& value,
                                           std::optional<bool> is_source,
                                           const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(
      const Tree<Array> tree,
      broadcast_one_to_all(Tree<Array>(value), is_source, options));
  return tree.leaf();
}

absl::Status assert_equal(const Tree<Array>& values,
                          const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const ExchangeCall exchange,
                   ExchangeCall::Create("assert_equal", options));
  std::vector<ExchangeLeaf> leaves = ExchangeLeavesOf(values);
  const absl::Status fetched = FetchLeaves(leaves, /*takes_global=*/false);
  RETURN_IF_ERROR(exchange.AgreeOnLeaves(leaves, fetched));
  if (leaves.empty()) return absl::OkStatus();
  const auto size = static_cast<int64_t>(sizeof(XXH128_canonical_t));
  const auto count = static_cast<int64_t>(leaves.size());
  Literal mine(Shape(ElementType::kU8, {size * count}));
  for (int64_t i = 0; i < count; ++i) {
    const LiteralView& value = leaves[i].tensor.view;
    XXH128_canonical_t digest;
    XXH128_canonicalFromHash(
        &digest, XXH3_128bits(value.bytes(),
                              static_cast<size_t>(value.shape().byte_size())));
    std::memcpy(mine.mutable_bytes() + i * size, digest.digest, size);
  }
  ASSIGN_OR_RETURN(const Literal digests,
                   exchange.Gather(OwnedTensor(std::move(mine))));
  for (size_t i = 0; i < leaves.size(); ++i) {
    RETURN_IF_ERROR(DifferenceOf(exchange, leaves[i], digests, i));
  }
  return absl::OkStatus();
}

}  // namespace lockstep
