#include "client/global_arrays/ragged_exchange.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "client/global_arrays/exchange_call.h"
#include "client/global_arrays/packed_row.h"
#include "runtime/base/status.h"
#include "runtime/types/literal.h"

namespace lockstep {

using internal::BytesOf;
using internal::ExchangeCall;
using internal::ExchangeLeaf;
using internal::ExchangeLeavesOf;
using internal::FetchLeaves;
using internal::OwnedTensor;
using internal::PackedRow;
using internal::PackedSize;
using internal::SumOfBytes;
using internal::Unpack;
using internal::WithLeaves;

namespace {

// The shape of a leaf on a host that has so many rows of it.
absl::StatusOr<Shape> ShapeOf(const ExchangeLeaf& leaf, int64_t rows) {
  Dims dims(leaf.value.shape().dims().begin(), leaf.value.shape().dims().end());
  if (!dims.empty()) dims[0] = rows;
  return Shape::Create(leaf.value.dtype(), dims);
}

// By host, then by leaf. `rows`: (hosts, leaves).
absl::StatusOr<std::vector<std::vector<Shape>>> ShapesOf(
    absl::Span<const ExchangeLeaf> leaves, const Literal& rows) {
  const absl::Span<const int64_t> counts = rows.data<int64_t>();
  std::vector<std::vector<Shape>> shapes(rows.shape().dim(0));
  size_t next = 0;
  for (std::vector<Shape>& of_host : shapes) {
    for (const ExchangeLeaf& leaf : leaves) {
      ASSIGN_OR_RETURN(of_host.emplace_back(), ShapeOf(leaf, counts[next++]));
    }
  }
  return shapes;
}

Literal RowCounts(absl::Span<const ExchangeLeaf> leaves) {
  Literal counts(
      Shape(ElementType::kS64, {static_cast<int64_t>(leaves.size())}));
  for (size_t i = 0; i < leaves.size(); ++i) {
    const Shape& shape = leaves[i].value.shape();
    counts.mutable_data<int64_t>()[i] = shape.rank() == 0 ? 1 : shape.dim(0);
  }
  return counts;
}

// The leaves of all hosts: first how large they are, then the bytes of each
// host in a row that has room for the most of them.
absl::StatusOr<std::vector<std::vector<Array>>> GatherRagged(
    const ExchangeCall& exchange, absl::Span<const ExchangeLeaf> leaves) {
  ASSIGN_OR_RETURN(const Literal counts,
                   exchange.Gather(OwnedTensor(RowCounts(leaves))));
  ASSIGN_OR_RETURN(const auto shapes, ShapesOf(leaves, counts));
  int64_t most = 0;
  for (const std::vector<Shape>& each : shapes) {
    most = std::max(most, SumOfBytes(each));
  }
  std::optional<Literal> rows;
  if (most > 0) {
    std::vector<absl::string_view> bytes;
    for (const ExchangeLeaf& leaf : leaves) {
      bytes.push_back(BytesOf(leaf.tensor.view));
    }
    absl::StatusOr<Literal> mine = PackedRow(bytes, PackedSize(most));
    // A host without the memory is told of.
    RETURN_IF_ERROR(exchange.Agree({}, mine.status()));
    ASSIGN_OR_RETURN(rows, exchange.Gather(OwnedTensor(*std::move(mine))));
  }
  std::vector<std::vector<Array>> values;
  for (const std::vector<Shape>& each : shapes) {
    absl::Span<const std::byte> row;
    if (rows.has_value()) {
      row = rows->byte_span().subspan(values.size() * rows->shape().dim(1));
    }
    ASSIGN_OR_RETURN(values.emplace_back(), Unpack(each, row));
  }
  return values;
}

}  // namespace

absl::StatusOr<std::vector<Tree<Array>>> process_allgather_ragged(
    const Tree<Array>& values, const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const ExchangeCall exchange,
                   ExchangeCall::Create("process_allgather_ragged", options));
  std::vector<ExchangeLeaf> leaves = ExchangeLeavesOf(values);
  const absl::Status fetched = FetchLeaves(leaves, /*takes_global=*/false);
  RETURN_IF_ERROR(exchange.AgreeOnLeaves(leaves, fetched, /*may_differ=*/true));
  if (leaves.empty()) {
    return std::vector<Tree<Array>>(exchange.host_count(), values);
  }
  ASSIGN_OR_RETURN(auto of_hosts, GatherRagged(exchange, leaves));
  std::vector<Tree<Array>> results;
  for (std::vector<Array>& each : of_hosts) {
    results.push_back(WithLeaves(values, std::move(each)));
  }
  return results;
}

absl::StatusOr<std::vector<Array>> process_allgather_ragged(
    const Array& value, const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const std::vector<Tree<Array>> trees,
                   process_allgather_ragged(Tree<Array>(value), options));
  std::vector<Array> values;
  for (const Tree<Array>& tree : trees) values.push_back(tree.leaf());
  return values;
}

absl::StatusOr<std::vector<std::string>> process_allgather_ragged(
    const std::string& text, const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const std::vector<Array> arrays,
                   process_allgather_ragged(bytes_to_array(text), options));
  std::vector<std::string> texts;
  for (const Array& array : arrays) {
    ASSIGN_OR_RETURN(texts.emplace_back(), array_to_bytes(array));
  }
  return texts;
}

absl::StatusOr<std::string> broadcast_one_to_all(
    const std::string& text, std::optional<bool> is_source,
    const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const ExchangeCall exchange,
                   ExchangeCall::Create("broadcast_one_to_all", options));
  RETURN_IF_ERROR(exchange.Agree({{"value", "a string"}}, absl::OkStatus()));
  ASSIGN_OR_RETURN(const int64_t source, exchange.FindSource(is_source));
  return exchange.BroadcastBytes(text, source);
}

Array bytes_to_array(absl::string_view bytes) {
  const auto* const begin = reinterpret_cast<const uint8_t*>(bytes.data());
  return Array(std::vector<uint8_t>(begin, begin + bytes.size()));
}

absl::StatusOr<std::string> array_to_bytes(const Array& array) {
  if (array.dtype() != ElementType::kU8) {
    return absl::InvalidArgumentError(
        absl::StrCat("array_to_bytes: the array is ", NumpyName(array.dtype()),
                     ", expected is uint8"));
  }
  ASSIGN_OR_RETURN(const internal::HostTensor tensor, array.Share());
  return std::string(BytesOf(tensor.view));
}

}  // namespace lockstep
