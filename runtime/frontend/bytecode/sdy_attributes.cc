#include "runtime/frontend/bytecode/sdy_attributes.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {
namespace {

enum Code : uint64_t {
  kManualAxes = 0,
  kMeshAxis = 1,
  kMesh = 2,
  kSubAxis = 3,
  kAxisRef = 4,
  kDimSharding = 5,
  kSharding = 6,
  kShardingPerValue = 7,
  kDimMapping = 8,
  kTensorMapping = 9,
  kRule = 10,
  kAxisRefList = 11,
  kUnreducedSharding = 15,
  kUnreducedShardingPerValue = 16,
  kReducedSharding = 17,
};

// Parts of shardings are read wherever they are named: what is built of them
// has a copy of each. What a part counts for in the budget:
constexpr uint64_t kPartBytes = 64;

// The attribute at a place in the table, behind its code.
absl::StatusOr<ByteReader> ContentAt(AttributeTable& table, size_t index,
                                     Code code, absl::string_view what) {
  const BytecodeContainer::Entry& entry = table.entry(index);
  ByteReader content(entry.content);
  RETURN_IF_ERROR(table.budget().Spend(content, kPartBytes));
  if (entry.dialect == "sdy" && entry.is_binary) {
    ASSIGN_OR_RETURN(const uint64_t found,
                     content.ReadVarint("an attribute's code"));
    if (found == code) return content;
  }
  return entry.content.Error(
      absl::StrCat("expected ", what, ", found another attribute"));
}

// A list of attributes of one code, each read by `read`.
template <typename T, typename F>
absl::StatusOr<std::vector<T>> ReadParts(AttributeTable& table,
                                         ByteReader& reader, Code code,
                                         absl::string_view what, F read) {
  ASSIGN_OR_RETURN(const size_t count, reader.ReadCount("a number of parts"));
  std::vector<T> parts;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const size_t index, table.ReadIndex(reader));
    ASSIGN_OR_RETURN(ByteReader content, ContentAt(table, index, code, what));
    ASSIGN_OR_RETURN(T part, read(content));
    parts.push_back(std::move(part));
  }
  return parts;
}

absl::StatusOr<AxisRef> ReadAxisRef(AttributeTable& table, ByteReader& reader) {
  ASSIGN_OR_RETURN(std::string name, table.ReadString(reader));
  ASSIGN_OR_RETURN(const std::optional<size_t> sub_axis,
                   table.ReadOptionalIndex(reader));
  if (!sub_axis.has_value()) return AxisRef(std::move(name));
  ASSIGN_OR_RETURN(ByteReader content,
                   ContentAt(table, *sub_axis, kSubAxis, "a sub-axis"));
  ASSIGN_OR_RETURN(const int64_t pre_size,
                   content.ReadSignedVarint("a pre-size"));
  ASSIGN_OR_RETURN(const int64_t size, content.ReadSignedVarint("a size"));
  if (pre_size < 1 || size < 1) {
    return content.Error("expected sizes above 0 of a sub-axis");
  }
  return AxisRef(std::move(name), pre_size, size);
}

absl::StatusOr<std::vector<AxisRef>> ReadAxisRefs(AttributeTable& table,
                                                  ByteReader& reader) {
  return ReadParts<AxisRef>(
      table, reader, kAxisRef, "an axis",
      [&](ByteReader& content) { return ReadAxisRef(table, content); });
}

absl::StatusOr<bool> ReadBool(ByteReader& reader) {
  ASSIGN_OR_RETURN(const uint8_t value, reader.ReadByte("a bool"));
  return value != 0;
}

absl::StatusOr<DimSharding> ReadDimSharding(AttributeTable& table,
                                            ByteReader& reader) {
  DimSharding dim;
  ASSIGN_OR_RETURN(dim.axes, ReadAxisRefs(table, reader));
  ASSIGN_OR_RETURN(dim.is_closed, ReadBool(reader));
  ASSIGN_OR_RETURN(const ByteReader::Flagged priority,
                   reader.ReadFlagged("a priority"));
  if (priority.flag) {
    if (priority.value > std::numeric_limits<int64_t>::max()) {
      return reader.Error("expected a priority below 2^63");
    }
    dim.priority = static_cast<int64_t>(priority.value);
  }
  return dim;
}

absl::StatusOr<ShardingMesh> ReadMesh(AttributeTable& table,
                                      ByteReader& reader) {
  ASSIGN_OR_RETURN(std::vector<MeshAxis> axes,
                   ReadParts<MeshAxis>(
                       table, reader, kMeshAxis, "an axis of a mesh",
                       [&](ByteReader& content) -> absl::StatusOr<MeshAxis> {
                         MeshAxis axis;
                         ASSIGN_OR_RETURN(axis.name, table.ReadString(content));
                         ASSIGN_OR_RETURN(axis.size,
                                          content.ReadSignedVarint("a size"));
                         return axis;
                       }));
  ASSIGN_OR_RETURN(std::vector<int64_t> devices, table.ReadSignedList(reader));
  absl::StatusOr<AbstractMesh> abstract = AbstractMesh::Create(std::move(axes));
  if (!abstract.ok()) return reader.Error(abstract.status().message());
  absl::StatusOr<ShardingMesh> mesh =
      ShardingMesh::Create(*std::move(abstract), std::move(devices));
  if (!mesh.ok()) return reader.Error(mesh.status().message());
  return mesh;
}

// A symbol, or the mesh itself.
absl::StatusOr<std::variant<std::string, ShardingMesh>> ReadMeshOrName(
    AttributeTable& table, ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t index, table.ReadIndex(reader));
  if (table.entry(index).dialect == "sdy") return SdyMeshAt(table, index);
  ASSIGN_OR_RETURN(const BytecodeAttribute* attribute, table.At(index));
  const auto* symbol = attribute->value.As<Attribute::Symbol>();
  if (symbol == nullptr) {
    return reader.Error("expected a mesh or its name, found another attribute");
  }
  RETURN_IF_ERROR(table.budget().Spend(reader, symbol->name.size()));
  return symbol->name;
}

bool IsSharding(uint64_t code) {
  return code == kSharding || code == kUnreducedSharding ||
         code == kReducedSharding;
}

absl::StatusOr<TensorSharding> ReadSharding(AttributeTable& table,
                                            uint64_t code, ByteReader& reader) {
  TensorSharding sharding;
  ASSIGN_OR_RETURN(sharding.mesh, ReadMeshOrName(table, reader));
  ASSIGN_OR_RETURN(sharding.dims,
                   ReadParts<DimSharding>(
                       table, reader, kDimSharding,
                       "the sharding of a dimension", [&](ByteReader& content) {
                         return ReadDimSharding(table, content);
                       }));
  ASSIGN_OR_RETURN(sharding.replicated, ReadAxisRefs(table, reader));
  if (code == kSharding) return sharding;
  ASSIGN_OR_RETURN(sharding.unreduced, ReadAxisRefs(table, reader));
  if (code == kUnreducedSharding) return sharding;
  constexpr UnreducedKind kKinds[] = {UnreducedKind::kSum, UnreducedKind::kMax,
                                      UnreducedKind::kMin};
  ASSIGN_OR_RETURN(const int64_t kind,
                   reader.ReadSignedVarint("a kind of reduction"));
  if (kind < 0 || kind >= static_cast<int64_t>(std::size(kKinds))) {
    return reader.Error(
        absl::StrCat("expected a kind of reduction, found ", kind));
  }
  sharding.reduction = kKinds[kind];
  return sharding;
}

absl::StatusOr<BytecodeAttribute> DecodePerValue(AttributeTable& table,
                                                 ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t count,
                   reader.ReadCount("a number of shardings"));
  Attribute::ShardingPerValue shardings;
  BytecodeAttribute result;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const size_t index, table.ReadIndex(reader));
    const BytecodeContainer::Entry& entry = table.entry(index);
    ByteReader content(entry.content);
    ASSIGN_OR_RETURN(const uint64_t code, content.ReadVarint("a code"));
    if (entry.dialect != "sdy" || !entry.is_binary || !IsSharding(code)) {
      return reader.Error("expected a sharding, found another attribute");
    }
    RETURN_IF_ERROR(table.budget().Spend(reader, kPartBytes));
    ASSIGN_OR_RETURN(TensorSharding sharding,
                     ReadSharding(table, code, content));
    result.bytes += kPartBytes * static_cast<uint64_t>(1 + sharding.rank());
    shardings.values.push_back(std::move(sharding));
  }
  result.value = std::move(shardings);
  return result;
}

absl::StatusOr<OpShardingRule::TensorFactors> ReadTensorMapping(
    AttributeTable& table, ByteReader& reader) {
  using DimFactors = OpShardingRule::DimFactors;
  return ReadParts<DimFactors>(
      table, reader, kDimMapping, "the factors of a dimension",
      [&](ByteReader& content) -> absl::StatusOr<DimFactors> {
        ASSIGN_OR_RETURN(const std::vector<int64_t> factors,
                         table.ReadSignedList(content));
        DimFactors result;
        for (const int64_t factor : factors) {
          if (factor < 0 || factor > std::numeric_limits<int>::max()) {
            return content.Error(
                absl::StrCat("expected a factor, found ", factor));
          }
          result.push_back(static_cast<int>(factor));
        }
        return result;
      });
}

absl::StatusOr<std::vector<OpShardingRule::TensorFactors>> ReadTensorMappings(
    AttributeTable& table, ByteReader& reader) {
  return ReadParts<OpShardingRule::TensorFactors>(
      table, reader, kTensorMapping, "the factors of a tensor",
      [&](ByteReader& content) { return ReadTensorMapping(table, content); });
}

// A list of factors, each of which `mark` is called for.
template <typename F>
absl::Status MarkFactors(AttributeTable& table, ByteReader& reader,
                         std::vector<OpShardingRule::Factor>& factors, F mark) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> marked,
                   table.ReadSignedList(reader));
  for (const int64_t factor : marked) {
    if (factor < 0 || factor >= static_cast<int64_t>(factors.size())) {
      return reader.Error(absl::StrCat("expected a factor below ",
                                       factors.size(), ", found ", factor));
    }
    mark(factors[static_cast<size_t>(factor)]);
  }
  return absl::OkStatus();
}

absl::StatusOr<BytecodeAttribute> DecodeRule(AttributeTable& table,
                                             ByteReader& reader) {
  OpShardingRule::Parts parts;
  ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                   table.ReadSignedList(reader));
  for (const int64_t size : sizes) parts.factors.push_back({size});
  ASSIGN_OR_RETURN(parts.operands, ReadTensorMappings(table, reader));
  ASSIGN_OR_RETURN(parts.results, ReadTensorMappings(table, reader));
  for (const FactorKind kind :
       {FactorKind::kReduction, FactorKind::kNeedReplication,
        FactorKind::kPermutation}) {
    RETURN_IF_ERROR(
        MarkFactors(table, reader, parts.factors,
                    [&](OpShardingRule::Factor& f) { f.kind = kind; }));
  }
  RETURN_IF_ERROR(
      MarkFactors(table, reader, parts.factors,
                  [](OpShardingRule::Factor& f) { f.is_blocked = true; }));
  ASSIGN_OR_RETURN(parts.is_custom, ReadBool(reader));
  const absl::StatusOr<OpShardingRule> rule =
      OpShardingRule::Create(std::move(parts));
  if (!rule.ok()) return reader.Error(rule.status().message());
  std::string text = rule->ToString();
  const uint64_t bytes = text.size();
  RETURN_IF_ERROR(table.budget().Spend(reader, bytes));
  return BytecodeAttribute{Attribute::Opaque{std::move(text)}, bytes};
}

absl::StatusOr<BytecodeAttribute> DecodeManualAxes(AttributeTable& table,
                                                   ByteReader& reader) {
  ASSIGN_OR_RETURN(BytecodeAttribute axes, table.ReadArray(reader));
  for (const Attribute& axis : axes.value.As<Attribute::Array>()->elements) {
    if (axis.As<Attribute::String>() == nullptr) {
      return reader.Error("expected the name of an axis");
    }
  }
  return axes;
}

}  // namespace

absl::StatusOr<BytecodeAttribute> DecodeSdyAttribute(AttributeTable& table,
                                                     ByteReader& reader) {
  ASSIGN_OR_RETURN(const uint64_t code,
                   reader.ReadVarint("an attribute's code"));
  if (IsSharding(code)) {
    ASSIGN_OR_RETURN(TensorSharding sharding,
                     ReadSharding(table, code, reader));
    const uint64_t bytes =
        kPartBytes * static_cast<uint64_t>(1 + sharding.rank());
    return BytecodeAttribute{Attribute::Sharding{std::move(sharding)}, bytes};
  }
  switch (code) {
    case kManualAxes:
      return DecodeManualAxes(table, reader);
    case kMesh: {
      ASSIGN_OR_RETURN(const ShardingMesh mesh, ReadMesh(table, reader));
      std::string text = absl::StrCat("#sdy.mesh", mesh.ToString());
      const uint64_t bytes = text.size();
      return BytecodeAttribute{Attribute::Opaque{std::move(text)}, bytes};
    }
    case kShardingPerValue:
    case kUnreducedShardingPerValue:
      return DecodePerValue(table, reader);
    case kRule:
      return DecodeRule(table, reader);
    case kAxisRefList: {
      ASSIGN_OR_RETURN(std::vector<AxisRef> refs, ReadAxisRefs(table, reader));
      const uint64_t bytes = 16 + kPartBytes * refs.size();
      return BytecodeAttribute{Attribute::AxisRefs{std::move(refs)}, bytes};
    }
    default:
      return reader.Unimplemented(absl::StrCat(
          "an attribute of sdy with the code ", code, " is not supported"));
  }
}

absl::StatusOr<ShardingMesh> SdyMeshAt(AttributeTable& table, size_t index) {
  ASSIGN_OR_RETURN(ByteReader content,
                   ContentAt(table, index, kMesh, "a mesh"));
  return ReadMesh(table, content);
}

}  // namespace lockstep::internal
