#include "runtime/mesh/sharding/sharding_text.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/attribute_text.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/text_scanner.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kMeshAttribute = "#sdy.mesh";
constexpr absl::string_view kShardingAttribute = "#sdy.sharding";
constexpr absl::string_view kShardingPerValueAttribute =
    "#sdy.sharding_per_value";
constexpr absl::string_view kAxisRefsAttribute = "#sdy.axis_ref_list";

absl::StatusOr<MeshAxis> ReadMeshAxis(TextScanner& scanner) {
  MeshAxis axis;
  ASSIGN_OR_RETURN(axis.name, scanner.QuotedName());
  RETURN_IF_ERROR(scanner.Expect("="));
  ASSIGN_OR_RETURN(axis.size, scanner.Integer());
  return axis;
}

absl::StatusOr<ShardingMesh> ReadMesh(TextScanner& scanner) {
  scanner.Consume(kMeshAttribute);
  const TextScanner start = scanner;
  RETURN_IF_ERROR(scanner.Expect("<"));
  std::vector<MeshAxis> axes;
  RETURN_IF_ERROR(scanner.List("[", "]", [&]() -> absl::Status {
    ASSIGN_OR_RETURN(MeshAxis axis, ReadMeshAxis(scanner));
    axes.push_back(std::move(axis));
    return absl::OkStatus();
  }));
  std::vector<int64_t> device_ids;
  if (scanner.Consume(",")) {
    RETURN_IF_ERROR(scanner.Expect("device_ids"));
    RETURN_IF_ERROR(scanner.Expect("="));
    ASSIGN_OR_RETURN(device_ids, scanner.Integers("[", "]"));
  }
  RETURN_IF_ERROR(scanner.Expect(">"));
  absl::StatusOr<AbstractMesh> mesh = AbstractMesh::Create(std::move(axes));
  if (!mesh.ok()) return start.Error(mesh.status().message());
  absl::StatusOr<ShardingMesh> sharding_mesh =
      ShardingMesh::Create(*std::move(mesh), std::move(device_ids));
  if (!sharding_mesh.ok()) {
    return start.Error(sharding_mesh.status().message());
  }
  return sharding_mesh;
}

absl::StatusOr<AxisRef> ReadAxisRef(TextScanner& scanner) {
  ASSIGN_OR_RETURN(std::string name, scanner.QuotedName());
  if (!scanner.Consume(":")) return AxisRef(std::move(name));
  RETURN_IF_ERROR(scanner.Expect("("));
  ASSIGN_OR_RETURN(const int64_t pre_size, scanner.Integer());
  RETURN_IF_ERROR(scanner.Expect(")"));
  ASSIGN_OR_RETURN(const int64_t size, scanner.Integer());
  return AxisRef(std::move(name), pre_size, size);
}

absl::StatusOr<std::vector<AxisRef>> ReadAxisRefs(TextScanner& scanner) {
  std::vector<AxisRef> refs;
  RETURN_IF_ERROR(scanner.List("{", "}", [&]() -> absl::Status {
    ASSIGN_OR_RETURN(AxisRef ref, ReadAxisRef(scanner));
    refs.push_back(std::move(ref));
    return absl::OkStatus();
  }));
  return refs;
}

// '{' (ref (',' ref)*)? (','? '?')? '}' ('p' integer)?
absl::StatusOr<DimSharding> ReadDim(TextScanner& scanner) {
  DimSharding dim;
  RETURN_IF_ERROR(scanner.Expect("{"));
  for (bool has_more = scanner.Peek() == '"'; has_more;) {
    ASSIGN_OR_RETURN(AxisRef ref, ReadAxisRef(scanner));
    dim.axes.push_back(std::move(ref));
    has_more = scanner.Consume(",") && scanner.Peek() != '?';
  }
  dim.is_closed = !scanner.Consume("?");
  if (!scanner.Consume("}")) {
    return scanner.Expected(dim.is_closed ? "an axis, '?' or '}'" : "'}'");
  }
  if (scanner.ConsumeAdjacent("p")) {
    if (!absl::ascii_isdigit(scanner.Peek())) {
      return scanner.Expected("the digits of a priority");
    }
    ASSIGN_OR_RETURN(dim.priority, scanner.Integer());
  }
  return dim;
}

UnreducedKind ReadReduction(TextScanner& scanner) {
  if (scanner.Consume("max")) return UnreducedKind::kMax;
  if (scanner.Consume("min")) return UnreducedKind::kMin;
  scanner.Consume("sum");
  return UnreducedKind::kSum;
}

absl::Status ReadUnreduced(TextScanner& scanner, TensorSharding& sharding) {
  UnreducedKind reduction = UnreducedKind::kSum;
  if (scanner.Consume("=")) reduction = ReadReduction(scanner);
  ASSIGN_OR_RETURN(sharding.unreduced, ReadAxisRefs(scanner));
  // Without axes there is no reduction to speak of.
  if (!sharding.unreduced.empty()) sharding.reduction = reduction;
  return absl::OkStatus();
}

absl::Status ReadClauses(TextScanner& scanner, TensorSharding& sharding) {
  bool has_replicated = false;
  bool has_unreduced = false;
  while (scanner.Consume(",")) {
    if (!has_replicated && scanner.Consume("replicated")) {
      has_replicated = true;
      RETURN_IF_ERROR(scanner.Expect("="));
      ASSIGN_OR_RETURN(sharding.replicated, ReadAxisRefs(scanner));
    } else if (!has_unreduced && scanner.Consume("unreduced")) {
      has_unreduced = true;
      RETURN_IF_ERROR(ReadUnreduced(scanner, sharding));
    } else {
      return scanner.Expected("'replicated' or 'unreduced', each once");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<TensorSharding> ReadSharding(TextScanner& scanner) {
  TensorSharding sharding;
  RETURN_IF_ERROR(scanner.Expect("<"));
  if (scanner.Consume("mesh")) {
    ASSIGN_OR_RETURN(sharding.mesh, ReadMesh(scanner));
  } else if (scanner.Peek() == '@') {
    ASSIGN_OR_RETURN(sharding.mesh, scanner.Symbol());
  } else {
    return scanner.Expected("'@' and the name of a mesh, or 'mesh'");
  }
  RETURN_IF_ERROR(scanner.Expect(","));
  RETURN_IF_ERROR(scanner.List("[", "]", [&]() -> absl::Status {
    ASSIGN_OR_RETURN(DimSharding dim, ReadDim(scanner));
    sharding.dims.push_back(std::move(dim));
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(ReadClauses(scanner, sharding));
  RETURN_IF_ERROR(scanner.Expect(">"));
  return sharding;
}

std::string DimText(const DimSharding& dim) {
  absl::string_view open = "";
  if (!dim.is_closed) open = dim.axes.empty() ? "?" : ", ?";
  return absl::StrCat(
      "{", AxisRefsText(dim.axes), open, "}",
      dim.priority.has_value() ? absl::StrCat("p", *dim.priority) : "");
}

absl::string_view ReductionText(UnreducedKind reduction) {
  switch (reduction) {
    case UnreducedKind::kSum:
      return "";
    case UnreducedKind::kMax:
      return "max";
    case UnreducedKind::kMin:
      return "min";
  }
  return "";
}

std::string MeshText(const TensorSharding& sharding) {
  if (const auto* mesh = std::get_if<ShardingMesh>(&sharding.mesh)) {
    return absl::StrCat("mesh", mesh->ToString());
  }
  return SymbolText(std::get<std::string>(sharding.mesh));
}

}  // namespace

absl::StatusOr<ShardingMesh> ParseSdyMesh(absl::string_view text) {
  TextScanner scanner(text);
  ASSIGN_OR_RETURN(ShardingMesh mesh, ReadMesh(scanner));
  RETURN_IF_ERROR(scanner.ExpectEnd());
  return mesh;
}

absl::StatusOr<TensorSharding> ParseSdySharding(absl::string_view text) {
  TextScanner scanner(text);
  scanner.Consume(kShardingAttribute);
  ASSIGN_OR_RETURN(TensorSharding sharding, ReadSharding(scanner));
  RETURN_IF_ERROR(scanner.ExpectEnd());
  return sharding;
}

absl::StatusOr<std::vector<TensorSharding>> ParseSdyShardingPerValue(
    absl::string_view text) {
  TextScanner scanner(text);
  scanner.Consume(kShardingPerValueAttribute);
  RETURN_IF_ERROR(scanner.Expect("<"));
  std::vector<TensorSharding> shardings;
  RETURN_IF_ERROR(scanner.List("[", "]", [&]() -> absl::Status {
    scanner.Consume(kShardingAttribute);
    ASSIGN_OR_RETURN(TensorSharding sharding, ReadSharding(scanner));
    shardings.push_back(std::move(sharding));
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(scanner.Expect(">"));
  RETURN_IF_ERROR(scanner.ExpectEnd());
  return shardings;
}

absl::StatusOr<std::vector<AxisRef>> ParseSdyAxisRefs(absl::string_view text) {
  TextScanner scanner(text);
  const bool is_attribute = scanner.Consume(kAxisRefsAttribute);
  if (is_attribute) RETURN_IF_ERROR(scanner.Expect("<"));
  ASSIGN_OR_RETURN(std::vector<AxisRef> refs, ReadAxisRefs(scanner));
  if (is_attribute) RETURN_IF_ERROR(scanner.Expect(">"));
  RETURN_IF_ERROR(scanner.ExpectEnd());
  return refs;
}

absl::StatusOr<std::vector<std::vector<AxisRef>>> ParseSdyAxisLists(
    absl::string_view text) {
  TextScanner scanner(text);
  std::vector<std::vector<AxisRef>> lists;
  RETURN_IF_ERROR(scanner.List("[", "]", [&]() -> absl::Status {
    ASSIGN_OR_RETURN(std::vector<AxisRef> axes, ReadAxisRefs(scanner));
    lists.push_back(std::move(axes));
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(scanner.ExpectEnd());
  return lists;
}

std::string ToSdyString(absl::Span<const std::vector<AxisRef>> axis_lists) {
  const auto append = [](std::string* out, const std::vector<AxisRef>& axes) {
    absl::StrAppend(out, "{", AxisRefsText(axes), "}");
  };
  return absl::StrCat("[", absl::StrJoin(axis_lists, ", ", append), "]");
}

absl::StatusOr<std::vector<AxesMove>> ParseSdyAxesMoves(
    absl::string_view text) {
  TextScanner scanner(text);
  std::vector<AxesMove> moves;
  RETURN_IF_ERROR(scanner.List("[", "]", [&]() -> absl::Status {
    AxesMove move;
    ASSIGN_OR_RETURN(move.axes, ReadAxisRefs(scanner));
    RETURN_IF_ERROR(scanner.Expect(":"));
    ASSIGN_OR_RETURN(move.source_dim, scanner.Integer());
    RETURN_IF_ERROR(scanner.Expect("->"));
    ASSIGN_OR_RETURN(move.target_dim, scanner.Integer());
    moves.push_back(std::move(move));
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(scanner.ExpectEnd());
  return moves;
}

std::string ToSdyString(absl::Span<const AxesMove> moves) {
  const auto append = [](std::string* out, const AxesMove& move) {
    absl::StrAppend(out, "{", AxisRefsText(move.axes), "}: ", move.source_dim,
                    "->", move.target_dim);
  };
  return absl::StrCat("[", absl::StrJoin(moves, ", ", append), "]");
}

std::string ToSdyString(const TensorSharding& sharding) {
  std::string text = absl::StrCat("<", MeshText(sharding), ", [");
  absl::StrAppend(&text,
                  absl::StrJoin(sharding.dims, ", ",
                                [](std::string* out, const DimSharding& dim) {
                                  absl::StrAppend(out, DimText(dim));
                                }),
                  "]");
  if (!sharding.replicated.empty()) {
    absl::StrAppend(&text, ", replicated={", AxisRefsText(sharding.replicated),
                    "}");
  }
  if (!sharding.unreduced.empty()) {
    absl::StrAppend(&text, ", unreduced=", ReductionText(sharding.reduction),
                    "{", AxisRefsText(sharding.unreduced), "}");
  }
  return text + ">";
}

std::string ToSdyString(absl::Span<const TensorSharding> sharding_per_value) {
  return absl::StrCat(
      "<[",
      absl::StrJoin(sharding_per_value, ", ",
                    [](std::string* out, const TensorSharding& sharding) {
                      absl::StrAppend(out, ToSdyString(sharding));
                    }),
      "]>");
}

std::string ToSdyAttribute(const TensorSharding& sharding) {
  return absl::StrCat(kShardingAttribute, ToSdyString(sharding));
}

std::string ToSdyAttribute(
    absl::Span<const TensorSharding> sharding_per_value) {
  return absl::StrCat(kShardingPerValueAttribute,
                      ToSdyString(sharding_per_value));
}

}  // namespace lockstep::internal
