#include "runtime/frontend/bytecode/vhlo_attributes.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/frontend/bytecode/number_reader.h"

namespace lockstep::internal {
namespace {

enum Code : uint64_t {
  kArray = 1,
  kBool = 2,
  kComparisonDirection = 3,
  kComparisonType = 4,
  kCustomCallApi = 5,
  kDictionary = 6,
  kFftType = 7,
  kFloat = 8,
  kInteger = 9,
  kOutputOperandAlias = 10,
  kPrecision = 11,
  kRngAlgorithm = 12,
  kRngDistribution = 13,
  kString = 14,
  kTensor = 15,
  kTranspose = 16,
  kType = 17,
  kResultAccuracyMode = 19,
  kResultAccuracy = 20,
  kSubAxisInfo = 21,
  kAxisRef = 22,
  kReplicaGroupMeshAxes = 23,
  kMeshAxis = 24,
  kMesh = 25,
};

// An enumeration: its kind in StableHLO, and its values by number.
struct Enumeration {
  Code code;
  absl::string_view kind;
  std::vector<absl::string_view> values;  // empty: no such number
};
const std::vector<Enumeration>& Enumerations() {
  static const auto& all = *new std::vector<Enumeration>{
      {kComparisonDirection,
       "comparison_direction",
       {"EQ", "NE", "GE", "GT", "LE", "LT"}},
      {kComparisonType,
       "comparison_type",
       {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}},
      {kFftType, "fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"}},
      {kPrecision, "precision", {"DEFAULT", "HIGH", "HIGHEST"}},
      {kRngAlgorithm, "rng_algorithm", {"DEFAULT", "THREE_FRY", "PHILOX"}},
      {kRngDistribution, "rng_distribution", {"", "UNIFORM", "NORMAL"}},
      {kTranspose,
       "transpose",
       {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
      {kResultAccuracyMode,
       "result_accuracy_mode",
       {"DEFAULT", "HIGHEST", "TOLERANCE"}},
  };
  return all;
}

absl::StatusOr<BytecodeAttribute> DecodeEnumeration(
    const Enumeration& enumeration, ByteReader& reader) {
  ASSIGN_OR_RETURN(const uint64_t number, reader.ReadVarint(enumeration.kind));
  if (number >= enumeration.values.size() ||
      enumeration.values[number].empty()) {
    return reader.Error(absl::StrCat("expected a value of ", enumeration.kind,
                                     ", found ", number));
  }
  const absl::string_view value = enumeration.values[number];
  if (enumeration.code == kResultAccuracyMode) {
    Attribute::Struct mode{std::string(enumeration.kind), {}};
    mode.fields.Append(value, Attribute::Unit{});
    return BytecodeAttribute{std::move(mode)};
  }
  return BytecodeAttribute{
      Attribute::Enum{std::string(enumeration.kind), std::string(value)}};
}

Attribute IntegerList(const std::vector<int64_t>& values) {
  Attribute::Array array;
  for (const int64_t value : values) {
    array.elements.push_back(Attribute::I64(value));
  }
  return array;
}

absl::StatusOr<BytecodeAttribute> DecodeAlias(AttributeTable& table,
                                              ByteReader& reader) {
  Attribute::Struct alias{"output_operand_alias", {}};
  ASSIGN_OR_RETURN(const std::vector<int64_t> outputs,
                   table.ReadSignedList(reader));
  ASSIGN_OR_RETURN(const int64_t operand,
                   reader.ReadSignedVarint("an operand"));
  ASSIGN_OR_RETURN(const std::vector<int64_t> operands,
                   table.ReadSignedList(reader));
  alias.fields.Append("output_tuple_indices", IntegerList(outputs));
  alias.fields.Append("operand_index", Attribute::I64(operand));
  alias.fields.Append("operand_tuple_indices", IntegerList(operands));
  return BytecodeAttribute{std::move(alias),
                           64 + 8 * (outputs.size() + operands.size())};
}

// Zeros are not written.
absl::StatusOr<BytecodeAttribute> DecodeAccuracy(AttributeTable& table,
                                                 ByteReader& reader) {
  Attribute::Struct accuracy{"result_accuracy", {}};
  for (const char* name : {"atol", "rtol"}) {
    ASSIGN_OR_RETURN(const double value, ReadDouble(reader, name));
    if (value != 0)
      accuracy.fields.Append(name, Attribute::Float{value, "f64"});
  }
  ASSIGN_OR_RETURN(const int64_t ulps, reader.ReadSignedVarint("ulps"));
  if (ulps != 0) accuracy.fields.Append("ulps", Attribute::I64(ulps));
  ASSIGN_OR_RETURN(const BytecodeAttribute* mode, table.Read(reader));
  const auto* name = mode->value.As<Attribute::Struct>();
  if (name == nullptr || name->name != "result_accuracy_mode") {
    return reader.Error("expected a mode of accuracy, found another attribute");
  }
  accuracy.fields.Append("mode", mode->value);
  return BytecodeAttribute{std::move(accuracy), 128};
}

absl::StatusOr<BytecodeAttribute> DecodeSubAxis(ByteReader& reader) {
  Attribute::Struct sub_axis{"sub_axis_info", {}};
  for (const char* name : {"pre_size", "size"}) {
    ASSIGN_OR_RETURN(const int64_t value, reader.ReadSignedVarint(name));
    sub_axis.fields.Append(name, Attribute::I64(value));
  }
  return BytecodeAttribute{std::move(sub_axis), 32};
}

absl::StatusOr<BytecodeAttribute> DecodeAxisRef(AttributeTable& table,
                                                ByteReader& reader) {
  Attribute::Struct ref{"axis_ref", {}};
  ASSIGN_OR_RETURN(std::string name, table.ReadStringAttribute(reader));
  BytecodeAttribute result;
  result.bytes = 64 + name.size();
  ref.fields.Append("name", Attribute::String{std::move(name)});
  // Here the flag is a number of its own.
  ASSIGN_OR_RETURN(const uint64_t has_sub_axis, reader.ReadVarint("a flag"));
  if (has_sub_axis != 0) {
    ASSIGN_OR_RETURN(const BytecodeAttribute* sub_axis, table.Read(reader));
    const auto* fields = sub_axis->value.As<Attribute::Struct>();
    if (fields == nullptr || fields->name != "sub_axis_info") {
      return reader.Error("expected a sub-axis, found another attribute");
    }
    ref.fields.Append("sub_axis_info", sub_axis->value);
  }
  result.value = std::move(ref);
  return result;
}

absl::StatusOr<BytecodeAttribute> DecodeMeshAxis(AttributeTable& table,
                                                 ByteReader& reader) {
  Attribute::Struct axis{"mesh_axis", {}};
  ASSIGN_OR_RETURN(std::string name, table.ReadStringAttribute(reader));
  const uint64_t bytes = 64 + name.size();
  axis.fields.Append("name", Attribute::String{std::move(name)});
  ASSIGN_OR_RETURN(const int64_t size, reader.ReadSignedVarint("a size"));
  axis.fields.Append("size", Attribute::I64(size));
  return BytecodeAttribute{std::move(axis), bytes};
}

// A list of structs, and what may follow it.
absl::StatusOr<BytecodeAttribute> DecodeMesh(AttributeTable& table,
                                             ByteReader& reader) {
  Attribute::Struct mesh{"mesh", {}};
  ASSIGN_OR_RETURN(const BytecodeAttribute* axes, table.Read(reader));
  mesh.fields.Append("axes", axes->value);
  BytecodeAttribute result;
  result.bytes = 64 + axes->bytes;
  ASSIGN_OR_RETURN(const std::optional<size_t> index,
                   table.ReadOptionalIndex(reader));
  if (index.has_value()) {
    ASSIGN_OR_RETURN(const BytecodeAttribute* devices, table.At(*index));
    mesh.fields.Append("device_ids", devices->value);
    result.bytes += devices->bytes;
  }
  result.value = std::move(mesh);
  return result;
}

absl::StatusOr<BytecodeAttribute> DecodeMeshAxes(AttributeTable& table,
                                                 ByteReader& reader) {
  Attribute::Struct groups{"replica_group_mesh_axes", {}};
  ASSIGN_OR_RETURN(const BytecodeAttribute* mesh, table.Read(reader));
  ASSIGN_OR_RETURN(const BytecodeAttribute* axes, table.Read(reader));
  // A mesh of the module is named.
  const auto* name = mesh->value.As<Attribute::String>();
  groups.fields.Append("mesh", name == nullptr
                                   ? mesh->value
                                   : Attribute(Attribute::Symbol{name->value}));
  groups.fields.Append("axes", axes->value);
  return BytecodeAttribute{std::move(groups), 64 + mesh->bytes + axes->bytes};
}

}  // namespace

absl::StatusOr<BytecodeAttribute> DecodeVhloAttribute(AttributeTable& table,
                                                      ByteReader& reader) {
  ASSIGN_OR_RETURN(const uint64_t code,
                   reader.ReadVarint("an attribute's code"));
  for (const Enumeration& enumeration : Enumerations()) {
    if (enumeration.code == code) return DecodeEnumeration(enumeration, reader);
  }
  switch (code) {
    case kArray:
      return table.ReadArray(reader);
    case kBool: {
      ASSIGN_OR_RETURN(const uint64_t value, reader.ReadVarint("a bool"));
      return BytecodeAttribute{Attribute::Bool{value != 0}};
    }
    case kCustomCallApi: {
      ASSIGN_OR_RETURN(const size_t value,
                       reader.ReadIndex("the API of a custom call", 5));
      return BytecodeAttribute{Attribute::I32(static_cast<int64_t>(value))};
    }
    case kDictionary:
      return table.ReadDictionary(reader);
    case kFloat:
      return ReadTypedFloat(table, reader);
    case kInteger:
      return ReadTypedInteger(table, reader);
    case kOutputOperandAlias:
      return DecodeAlias(table, reader);
    case kString: {
      ASSIGN_OR_RETURN(std::string text, table.ReadString(reader));
      const uint64_t bytes = 16 + text.size();
      return BytecodeAttribute{Attribute::String{std::move(text)}, bytes};
    }
    case kTensor:
      return ReadTypedElements(table, reader);
    case kType:
      return table.ReadType(reader);
    case kResultAccuracy:
      return DecodeAccuracy(table, reader);
    case kSubAxisInfo:
      return DecodeSubAxis(reader);
    case kAxisRef:
      return DecodeAxisRef(table, reader);
    case kReplicaGroupMeshAxes:
      return DecodeMeshAxes(table, reader);
    case kMeshAxis:
      return DecodeMeshAxis(table, reader);
    case kMesh:
      return DecodeMesh(table, reader);
    default:
      return reader.Unimplemented(absl::StrCat(
          "an attribute of vhlo with the code ", code, " is not supported"));
  }
}

}  // namespace lockstep::internal
