#include "client/global_arrays/one_host_exchange.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/global_arrays/exchange_call.h"
#include "client/global_arrays/packed_row.h"
#include "client/global_arrays/tree_form.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"
#include "runtime/types/literal.h"
#include "runtime/types/shape.h"

namespace lockstep {

using internal::BytesOf;
using internal::ExchangeCall;
using internal::ExchangeLeaf;
using internal::ExchangeLeavesOf;
using internal::FetchLeaves;
using internal::FormatTreeForm;
using internal::HostTensor;
using internal::OwnedTensor;
using internal::Pack;
using internal::PackedSize;
using internal::ParseTreeForm;
using internal::SumOfBytes;
using internal::TupleText;
using internal::Unpack;
using internal::WithLeaves;

namespace {

Tree<Shape> FormOf(const Tree<Array>& values) {
  return values.Transform(
      [](const Array& value, const std::string&) { return value.shape(); });
}

std::vector<Shape> ShapesOf(const Tree<Shape>& form) {
  std::vector<Shape> shapes;
  form.Transform([&](const Shape& shape, const std::string&) {
    shapes.push_back(shape);
    return 0;
  });
  return shapes;
}

// What host scatters: the form of an entry, and a row of each.
struct Entries {
  std::string form;
  Literal rows;  // (hosts, bytes)
};

// Says which leaf it is, if the entries have leaves of the same paths.
absl::Status EntriesDiffer(absl::Span<const ExchangeLeaf> first,
                           absl::Span<const ExchangeLeaf> other, size_t place) {
  std::string what = "other leaves";
  for (size_t i = 0; i < first.size() && first.size() == other.size(); ++i) {
    if (first[i].path != other[i].path) break;
    if (first[i].value.shape() == other[i].value.shape()) continue;
    const auto text = [&](const ExchangeLeaf& leaf) {
      return absl::StrCat(NumpyName(leaf.value.dtype()), " ",
                          TupleText(leaf.value.shape().dims()));
    };
    what = absl::StrCat("leaf '", first[i].path, "' as ", text(other[i]),
                        ", not ", text(first[i]));
    break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("entry ", place, " has ", what, " as entry 0 has"));
}

absl::StatusOr<Entries> EntriesOf(const std::vector<Tree<Array>>& values,
                                  int64_t hosts) {
  if (static_cast<int64_t>(values.size()) != hosts) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected is an entry for each of the ", hosts,
                     " hosts, found are ", values.size()));
  }
  Entries entries;
  std::vector<std::vector<ExchangeLeaf>> leaves;
  for (const Tree<Array>& value : values) {
    const size_t place = leaves.size();
    const std::string form = FormatTreeForm(FormOf(value));
    leaves.push_back(ExchangeLeavesOf(value));
    // First: an array that carries an error has no shape to complain about.
    const absl::Status fetched =
        FetchLeaves(leaves[place], /*takes_global=*/false);
    if (!fetched.ok()) {
      return internal::Annotate(fetched, absl::StrCat("entry ", place));
    }
    if (place == 0) {
      entries.form = form;
    } else if (form != entries.form) {
      return EntriesDiffer(leaves[0], leaves[place], place);
    }
  }
  const int64_t size = PackedSize(SumOfBytes(ShapesOf(FormOf(values[0]))));
  ASSIGN_OR_RETURN(const Shape shape,
                   Shape::Create(ElementType::kU8, {hosts, size}));
  ASSIGN_OR_RETURN(entries.rows, Literal::Allocate(shape));
  absl::Span<std::byte> row = entries.rows.mutable_view().byte_span();
  for (const std::vector<ExchangeLeaf>& of_entry : leaves) {
    std::vector<absl::string_view> bytes;
    for (const ExchangeLeaf& leaf : of_entry) {
      bytes.push_back(BytesOf(leaf.tensor.view));
    }
    Pack(bytes, row);
    row.remove_prefix(size);
  }
  return entries;
}

ExchangeCall::Fields NamedHost(int host) {
  return {{"host", absl::StrCat(host)}};
}

}  // namespace

absl::StatusOr<std::optional<Tree<Array>>> gather_to_host(
    const Tree<Array>& values, int host, const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const ExchangeCall exchange,
                   ExchangeCall::Create("gather_to_host", options));
  std::vector<ExchangeLeaf> leaves = ExchangeLeavesOf(values);
  const absl::StatusOr<int64_t> place = exchange.PlaceOf(host);
  const absl::Status error =
      place.ok() ? FetchLeaves(leaves, /*takes_global=*/false)
                 : internal::Annotate(place.status(), exchange.name());
  RETURN_IF_ERROR(exchange.AgreeOnLeaves(leaves, error, /*may_differ=*/false,
                                         NamedHost(host)));
  std::vector<Array> results;
  for (const ExchangeLeaf& leaf : leaves) {
    ASSIGN_OR_RETURN(std::optional<Literal> rows,
                     exchange.GatherTo(leaf.tensor, *place));
    if (rows.has_value()) results.push_back(Array(*std::move(rows)));
  }
  if (exchange.place() != *place) return std::nullopt;
  return WithLeaves(values, std::move(results));
}

absl::StatusOr<std::optional<Array>> gather_to_host(
    const Array& value, int host, const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const std::optional<Tree<Array>> tree,
                   gather_to_host(Tree<Array>(value), host, options));
  if (!tree.has_value()) return std::nullopt;
  return tree->leaf();
}

absl::StatusOr<Tree<Array>> internal::ScatterTrees(
    const std::vector<Tree<Array>>& values, int host,
    const ExchangeOptions& options) {
  ASSIGN_OR_RETURN(const ExchangeCall exchange,
                   ExchangeCall::Create("scatter_from_host", options));
  const absl::StatusOr<int64_t> source = exchange.PlaceOf(host);
  absl::Status error = source.status();
  Entries entries;
  if (error.ok() && exchange.place() == *source) {
    absl::StatusOr<Entries> mine = EntriesOf(values, exchange.host_count());
    error = mine.status();
    if (mine.ok()) entries = *std::move(mine);
  }
  RETURN_IF_ERROR(exchange.Agree(NamedHost(host),
                                 internal::Annotate(error, exchange.name())));
  ASSIGN_OR_RETURN(const std::string bytes,
                   exchange.BroadcastBytes(entries.form, *source));
  ASSIGN_OR_RETURN(const Tree<Shape> form, ParseTreeForm(bytes));
  const std::vector<Shape> shapes = ShapesOf(form);
  const int64_t size = PackedSize(SumOfBytes(shapes));
  std::vector<Array> received;
  if (size > 0) {
    ASSIGN_OR_RETURN(
        const Shape rows,
        Shape::Create(ElementType::kU8, {exchange.host_count(), size}));
    ASSIGN_OR_RETURN(
        const Literal row,
        exchange.Scatter(rows, OwnedTensor(std::move(entries.rows)), *source));
    ASSIGN_OR_RETURN(received, Unpack(shapes, row.byte_span()));
  } else {
    ASSIGN_OR_RETURN(received, Unpack(shapes, {}));
  }
  size_t next = 0;
  return form.Transform([&](const Shape&, const std::string&) {
    return std::move(received[next++]);
  });
}

absl::StatusOr<Array> scatter_from_host(const std::vector<Array>& values,
                                        int host,
                                        const ExchangeOptions& options) {
  const std::vector<Tree<Array>> trees(values.begin(), values.end());
  ASSIGN_OR_RETURN(const Tree<Array> tree,
                   internal::ScatterTrees(trees, host, options));
  if (!tree.is_leaf()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "scatter_from_host: host ", host, " has trees, not arrays"));
  }
  return tree.leaf();
}

}  // namespace lockstep
