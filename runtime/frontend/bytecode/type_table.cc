#include "runtime/frontend/bytecode/type_table.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Codes of VHLO that stand for themselves. Empty: read otherwise.
constexpr std::array<absl::string_view, 43> kVhloNames = {"i1",
                                                          "",
                                                          "bf16",
                                                          "f16",
                                                          "f32",
                                                          "f64",
                                                          "f8E4M3FN",
                                                          "f8E5M2",
                                                          "",
                                                          "index",
                                                          "i4",
                                                          "i8",
                                                          "i16",
                                                          "i32",
                                                          "i64",
                                                          "ui4",
                                                          "ui8",
                                                          "ui16",
                                                          "ui32",
                                                          "ui64",
                                                          "",
                                                          "",
                                                          "",
                                                          "",
                                                          "",
                                                          "",
                                                          "",
                                                          "f8E4M3FNUZ",
                                                          "f8E5M2FNUZ",
                                                          "f8E4M3B11FNUZ",
                                                          "",
                                                          "i2",
                                                          "ui2",
                                                          "none",
                                                          "tf32",
                                                          "f8E4M3",
                                                          "f8E3M4",
                                                          "f4E2M1FN",
                                                          "f6E2M3FN",
                                                          "f6E3M2FN",
                                                          "f8E8M0FNU",
                                                          "",
                                                          ""};
enum VhloCode : uint64_t {
  kVhloComplex = 1,
  kVhloFunction = 8,
  kVhloTensor = 20,
  kVhloEncodedTensor = 21,
  kVhloToken = 22,
  kVhloTuple = 23,
  kVhloQuantized = 24,
  kVhloUnrankedTensor = 25,
  kVhloWitness = 26,
  kVhloQuantizedPerAxis = 30,
  kVhloBuffer = 41,
  kVhloFuture = 42,
};

enum BuiltinCode : uint64_t {
  kInteger = 0,
  kIndex = 1,
  kFunction = 2,
  kFirstFloat = 3,  // bf16, f16, f32, f64
  kLastFloat = 6,
  kComplex = 9,
  kNone = 12,
  kTensor = 13,
  kEncodedTensor = 14,
  kTuple = 15,
};

// As in text: recursion goes over dimensions.
constexpr size_t kMaxRank = 256;

BytecodeType Unsupported(absl::string_view text, absl::string_view what) {
  BytecodeType type;
  type.text = std::string(text);
  type.unsupported = std::string(what);
  return type;
}

BytecodeType Supported(Type value) {
  BytecodeType type;
  type.text = value.ToString();
  type.value = std::move(value);
  return type;
}

BytecodeType Scalar(absl::string_view name) {
  BytecodeType type =
      Unsupported(name, "values must be tensors, tokens or tuples");
  const absl::StatusOr<ElementType> element = ParseStablehloName(name);
  if (element.ok()) type.element = *element;
  if (name == "index") type.index_shape = Shape(ElementType::kS64, {});
  return type;
}

// "(T, U) -> V", "() -> ()".
std::string ListText(const std::vector<const BytecodeType*>& types,
                     bool may_be_single) {
  if (may_be_single && types.size() == 1 && !types[0]->function.has_value()) {
    return types[0]->text;
  }
  std::string text = "(";
  for (size_t i = 0; i < types.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", types[i]->text);
  }
  return text + ")";
}

absl::StatusOr<std::string> IntegerName(ByteReader& reader) {
  ASSIGN_OR_RETURN(const uint64_t word, reader.ReadVarint("an integer type"));
  constexpr absl::string_view kPrefixes[] = {"i", "si", "ui"};
  const uint64_t signedness = word & 3;
  if (signedness > 2 || (word >> 2) == 0) {
    return reader.Error("expected an integer type, found another one");
  }
  return absl::StrCat(kPrefixes[signedness], word >> 2);
}

}  // namespace

absl::StatusOr<const BytecodeType*> TypeTable::Read(ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t index,
                   reader.ReadIndex("a type", types_.size()));
  return At(index);
}

absl::StatusOr<const BytecodeType*> TypeTable::At(size_t index) {
  if (types_[index] == nullptr) {
    const BytecodeContainer::Entry& entry = container_.types[index];
    if (depth_ == kMaxBytecodeNesting) {
      return entry.content.Error(absl::StrCat(
          "expected at most ", kMaxBytecodeNesting, " levels of nesting"));
    }
    ++depth_;
    absl::StatusOr<BytecodeType> type = Decode(entry);
    --depth_;
    RETURN_IF_ERROR(type.status());
    RETURN_IF_ERROR(budget_.Spend(
        entry.content, type->text.size() + kBytesOfTypeNode * type->nodes));
    types_[index] = std::make_unique<const BytecodeType>(*std::move(type));
  }
  return types_[index].get();
}

absl::StatusOr<Type> TypeTable::ReadValueType(ByteReader& reader) {
  const ByteReader place(reader);
  ASSIGN_OR_RETURN(const size_t index,
                   reader.ReadIndex("a type", types_.size()));
  return ValueTypeAt(place, index);
}

absl::StatusOr<Type> TypeTable::ValueTypeAt(const ByteReader& place,
                                            size_t index) {
  ASSIGN_OR_RETURN(const BytecodeType* type, At(index));
  if (!type->value.has_value()) {
    return place.Unimplemented(
        absl::StrCat("type ", type->text, ": ", type->unsupported));
  }
  if (type->nodes > 1) {
    RETURN_IF_ERROR(budget_.Spend(place, kBytesOfTypeNode * type->nodes));
  }
  return *type->value;
}

absl::StatusOr<BytecodeType> TypeTable::Decode(
    const BytecodeContainer::Entry& entry) {
  ByteReader reader(entry.content);
  if (!entry.is_binary) {
    return reader.Unimplemented(
        absl::StrCat("a type of ", entry.dialect, " as text is not supported"));
  }
  const bool is_vhlo = entry.dialect == "vhlo";
  if (!is_vhlo && entry.dialect != "builtin") {
    return reader.Unimplemented(
        absl::StrCat("types of ", entry.dialect, " are not supported"));
  }
  return is_vhlo ? DecodeVhlo(reader) : DecodeBuiltin(reader);
}

absl::StatusOr<BytecodeType> TypeTable::DecodeVhlo(ByteReader& reader) {
  ASSIGN_OR_RETURN(const uint64_t code, reader.ReadVarint("a type's code"));
  if (code < kVhloNames.size() && !kVhloNames[code].empty()) {
    return Scalar(kVhloNames[code]);
  }
  switch (code) {
    case kVhloComplex:
      return DecodeComplex(reader);
    case kVhloFunction:
      return DecodeFunction(reader);
    case kVhloTensor:
      return DecodeTensor(reader);
    case kVhloEncodedTensor:
      return Unsupported("tensor<..>", "the encoding is not supported");
    case kVhloToken:
      return Supported(Type::Token());
    case kVhloTuple:
      return DecodeTuple(reader);
    case kVhloQuantized:
    case kVhloQuantizedPerAxis:
      return Unsupported("!quant.uniform<..>", "not supported");
    case kVhloUnrankedTensor:
      return Unsupported("tensor<*x..>",
                         "tensors without a rank are not supported");
    case kVhloWitness:
      return Unsupported("!shape.witness", "not supported");
    case kVhloBuffer:
      return Unsupported("memref<..>", "not supported");
    case kVhloFuture:
      return Unsupported("!stablehlo.future<..>", "not supported");
    default:
      return reader.Unimplemented(absl::StrCat("a type of vhlo with the code ",
                                               code, " is not supported"));
  }
}

absl::StatusOr<BytecodeType> TypeTable::DecodeBuiltin(ByteReader& reader) {
  constexpr absl::string_view kFloats[] = {"bf16", "f16", "f32", "f64"};
  ASSIGN_OR_RETURN(const uint64_t code, reader.ReadVarint("a type's code"));
  if (code >= kFirstFloat && code <= kLastFloat) {
    return Scalar(kFloats[code - kFirstFloat]);
  }
  switch (code) {
    case kInteger: {
      ASSIGN_OR_RETURN(const std::string name, IntegerName(reader));
      return Scalar(name);
    }
    case kIndex:
      return Scalar("index");
    case kFunction:
      return DecodeFunction(reader);
    case kComplex:
      return DecodeComplex(reader);
    case kNone:
      return Scalar("none");
    case kTensor:
      return DecodeTensor(reader);
    case kEncodedTensor:
      return Unsupported("tensor<..>", "the encoding is not supported");
    case kTuple:
      return DecodeTuple(reader);
    default:
      return reader.Unimplemented(absl::StrCat("a builtin type with the code ",
                                               code, " is not supported"));
  }
}

absl::StatusOr<BytecodeType> TypeTable::DecodeComplex(ByteReader& reader) {
  ASSIGN_OR_RETURN(const BytecodeType* part, Read(reader));
  if (!part->element.has_value() || !IsFloat(*part->element)) {
    return Unsupported(absl::StrCat("complex<", part->text, ">"),
                       "not supported");
  }
  return Scalar(absl::StrCat("complex<", part->text, ">"));
}

absl::StatusOr<BytecodeType> TypeTable::DecodeTensor(ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t rank, reader.ReadCount("a rank"));
  if (rank > kMaxRank) {
    return reader.Error(absl::StrCat("expected at most ", kMaxRank,
                                     " dimensions, found ", rank));
  }
  Dims dims;
  bool is_dynamic = false;
  std::string text = "tensor<";
  for (size_t i = 0; i < rank; ++i) {
    ASSIGN_OR_RETURN(const int64_t size,
                     reader.ReadSignedVarint("a dimension size"));
    is_dynamic |= size < 0;
    dims.push_back(std::max<int64_t>(size, 0));
    absl::StrAppend(&text, size < 0 ? "?" : absl::StrCat(size), "x");
  }
  ASSIGN_OR_RETURN(const BytecodeType* element, Read(reader));
  absl::StrAppend(&text, element->text, ">");
  if (is_dynamic) {
    return Unsupported(text, "dynamic dimensions are not supported");
  }
  const bool is_index = element->index_shape.has_value();
  if (!element->element.has_value() && !is_index) {
    return Unsupported(text, "the element type is not supported");
  }
  absl::StatusOr<Shape> shape =
      Shape::Create(element->element.value_or(ElementType::kS64), dims);
  if (!shape.ok()) return reader.Error(shape.status().message());
  if (!is_index) return Supported(*std::move(shape));
  BytecodeType type = Unsupported(text, "the element type is not supported");
  type.index_shape = *std::move(shape);
  return type;
}

absl::StatusOr<std::vector<size_t>> TypeTable::ReadList(ByteReader& reader) {
  ASSIGN_OR_RETURN(const size_t count, reader.ReadCount("a number of types"));
  std::vector<size_t> types;
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(types.emplace_back(),
                     reader.ReadIndex("a type", types_.size()));
  }
  return types;
}

absl::StatusOr<BytecodeType> TypeTable::DecodeTuple(ByteReader& reader) {
  ASSIGN_OR_RETURN(const std::vector<size_t> places, ReadList(reader));
  std::vector<const BytecodeType*> elements;
  uint64_t nodes = 1;
  uint64_t bytes = 0;
  std::string unsupported;
  for (const size_t place : places) {
    ASSIGN_OR_RETURN(elements.emplace_back(), At(place));
    nodes += elements.back()->nodes;
    bytes += elements.back()->text.size();
    if (!elements.back()->value.has_value() && unsupported.empty()) {
      unsupported = elements.back()->unsupported;
    }
  }
  // Before anything is copied.
  RETURN_IF_ERROR(budget_.Spend(reader, bytes + kBytesOfTypeNode * nodes));
  if (!unsupported.empty()) {
    return Unsupported(absl::StrCat("tuple<", ListText(elements, false), ">"),
                       unsupported);
  }
  std::vector<Type> types;
  types.reserve(elements.size());
  for (const BytecodeType* element : elements) types.push_back(*element->value);
  BytecodeType tuple = Supported(Type::Tuple(std::move(types)));
  tuple.nodes = nodes;
  return tuple;
}

absl::StatusOr<BytecodeType> TypeTable::DecodeFunction(ByteReader& reader) {
  BytecodeType::Function function;
  ASSIGN_OR_RETURN(function.inputs, ReadList(reader));
  ASSIGN_OR_RETURN(function.results, ReadList(reader));
  std::vector<const BytecodeType*> inputs;
  std::vector<const BytecodeType*> results;
  uint64_t bytes = 0;
  for (const auto& [places, types] : {std::pair{&function.inputs, &inputs},
                                      std::pair{&function.results, &results}}) {
    for (const size_t place : *places) {
      ASSIGN_OR_RETURN(types->emplace_back(), At(place));
      bytes += types->back()->text.size();
    }
  }
  RETURN_IF_ERROR(budget_.Spend(reader, bytes));
  BytecodeType type = Unsupported(
      absl::StrCat(ListText(inputs, false), " -> ", ListText(results, true)),
      "values of it are not supported");
  type.function = std::move(function);
  return type;
}

}  // namespace lockstep::internal
