#include "runtime/types/npy_header.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/types/npy_data.h"

namespace lockstep::internal {

namespace {

constexpr absl::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;

struct Descr {
  absl::string_view code;  // kind and size
  ElementType type;
};

// The first code of a type is the one written. What has none is written as
// kOpaqueCode: also float8_e5m2, whose own code NumPy's extensions write and
// NumPy does not read.
constexpr Descr kDescrs[] = {
    {"b1", ElementType::kPred}, {"?", ElementType::kPred},
    {"i1", ElementType::kS8},   {"i2", ElementType::kS16},
    {"i4", ElementType::kS32},  {"i8", ElementType::kS64},
    {"u1", ElementType::kU8},   {"u2", ElementType::kU16},
    {"u4", ElementType::kU32},  {"u8", ElementType::kU64},
    {"f2", ElementType::kF16},  {"V2", ElementType::kBF16},
    {"f4", ElementType::kF32},  {"f8", ElementType::kF64},
    {"c8", ElementType::kC64},  {"c16", ElementType::kC128},
};
constexpr Descr kOnlyRead = {"f1", ElementType::kF8E5M2};

// NumPy has no code for the small types: bytes that say nothing, as its
// extensions write them.
constexpr absl::string_view kOpaqueCode = "V1";

bool HasCode(ElementType type) {
  return std::any_of(std::begin(kDescrs), std::end(kDescrs),
                     [type](const Descr& d) { return d.type == type; });
}

// A letter of NumPy's type kinds, a size, and for times a unit.
bool IsNumpyTypeCode(absl::string_view code) {
  constexpr absl::string_view kKinds = "biufcmMOSUVa";
  if (code.empty() || kKinds.find(code[0]) == kKinds.npos) return false;
  code.remove_prefix(1);
  while (!code.empty() && absl::ascii_isdigit(code[0])) code.remove_prefix(1);
  return code.empty() || (code.front() == '[' && code.back() == ']');
}

std::string Quoted(absl::string_view text) {
  constexpr size_t kLongest = 40;
  return absl::StrCat("\"", absl::CHexEscape(text.substr(0, kLongest)),
                      text.size() > kLongest ? "..." : "", "\"");
}

// The dictionary of the header, a small part of Python's literals.
class HeaderParser {
 public:
  HeaderParser(absl::string_view text, std::optional<ElementType> opaque_type)
      : text_(text), rest_(text), opaque_type_(opaque_type) {}

  absl::StatusOr<NpyHeader> Parse();

 private:
  absl::Status ParseEntry();
  absl::Status ParseDescr();
  absl::Status ParseDescrCode(absl::string_view code);
  absl::StatusOr<ElementType> OpaqueType(absl::string_view code) const;
  absl::Status ParseFortranOrder();
  absl::Status ParseShape();
  absl::StatusOr<std::string> ParseString();
  absl::StatusOr<int64_t> ParseSize();
  absl::Status Expect(char c);

  bool Take(absl::string_view token) {
    rest_ = absl::StripLeadingAsciiWhitespace(rest_);
    return absl::ConsumePrefix(&rest_, token);
  }
  absl::Status Expected(absl::string_view what) const {
    return absl::InvalidArgumentError(
        absl::StrCat("npy header: expected ", what, " at offset ",
                     text_.size() - rest_.size(), ", found ",
                     rest_.empty() ? std::string("the end") : Quoted(rest_)));
  }

  const absl::string_view text_;
  absl::string_view rest_;
  const std::optional<ElementType> opaque_type_;
  std::optional<ElementType> type_;
  bool is_big_endian_ = false;
  std::optional<bool> is_fortran_order_;
  std::optional<std::vector<int64_t>> dims_;
};

absl::Status HeaderParser::Expect(char c) {
  if (Take(absl::string_view(&c, 1))) return absl::OkStatus();
  return Expected(absl::StrCat("'", std::string(1, c), "'"));
}

absl::StatusOr<NpyHeader> HeaderParser::Parse() {
  RETURN_IF_ERROR(Expect('{'));
  while (!Take("}")) {
    RETURN_IF_ERROR(ParseEntry());
    if (Take(",")) continue;
    if (!Take("}")) return Expected("',' or '}'");
    break;
  }
  rest_ = absl::StripLeadingAsciiWhitespace(rest_);
  if (!rest_.empty()) return Expected("nothing after the dictionary");
  for (const auto& [key, is_there] :
       {std::pair{"descr", type_.has_value()},
        std::pair{"fortran_order", is_fortran_order_.has_value()},
        std::pair{"shape", dims_.has_value()}}) {
    if (!is_there) {
      return absl::InvalidArgumentError(
          absl::StrCat("npy header: expected the key '", key, "', found none"));
    }
  }
  NpyHeader header;
  absl::StatusOr<Shape> shape = Shape::Create(*type_, *dims_);
  if (!shape.ok()) return Annotate(shape.status(), "npy header");
  header.shape = *std::move(shape);
  header.is_big_endian = is_big_endian_;
  header.is_fortran_order = *is_fortran_order_;
  return header;
}

absl::Status HeaderParser::ParseEntry() {
  const absl::string_view start = absl::StripLeadingAsciiWhitespace(rest_);
  ASSIGN_OR_RETURN(const std::string key, ParseString());
  RETURN_IF_ERROR(Expect(':'));
  const bool is_known =
      key == "descr" || key == "fortran_order" || key == "shape";
  const bool is_repeated = (key == "descr" && type_.has_value()) ||
                           (key == "fortran_order" && is_fortran_order_) ||
                           (key == "shape" && dims_.has_value());
  if (!is_known || is_repeated) {
    rest_ = start;
    return Expected("the keys 'descr', 'fortran_order' and 'shape', once each");
  }
  if (key == "descr") return ParseDescr();
  return key == "shape" ? ParseShape() : ParseFortranOrder();
}

absl::Status HeaderParser::ParseDescr() {
  if (Take("[") || Take("(")) {
    return absl::UnimplementedError(
        "npy header: structured types are not supported");
  }
  ASSIGN_OR_RETURN(const std::string code, ParseString());
  return ParseDescrCode(code);
}

absl::Status HeaderParser::ParseDescrCode(absl::string_view code) {
  absl::string_view kind = code;
  if (!kind.empty() &&
      absl::string_view("<>=|").find(kind[0]) != absl::string_view::npos) {
    is_big_endian_ = kind[0] == '>';
    kind.remove_prefix(1);
  }
  for (const Descr& descr : kDescrs) {
    if (descr.code == kind) {
      type_ = descr.type;
      return absl::OkStatus();
    }
  }
  if (kind == kOnlyRead.code) {
    type_ = kOnlyRead.type;
    return absl::OkStatus();
  }
  if (kind == kOpaqueCode) {
    ASSIGN_OR_RETURN(type_, OpaqueType(code));
    return absl::OkStatus();
  }
  if (IsNumpyTypeCode(kind)) {
    return absl::UnimplementedError(absl::StrCat(
        "npy header: elements of type ", Quoted(code), " are not supported"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "npy header: expected a type such as \"<f4\", found ", Quoted(code)));
}

absl::StatusOr<ElementType> HeaderParser::OpaqueType(
    absl::string_view code) const {
  if (opaque_type_.has_value() && !HasCode(*opaque_type_)) {
    return *opaque_type_;
  }
  return absl::UnimplementedError(absl::StrCat(
      "npy header: elements of ", Quoted(code),
      " are bytes that do not say of which type: expected to be told one that "
      "NumPy does not have, such as float8_e4m3fn or int4",
      opaque_type_.has_value()
          ? absl::StrCat(", found ", NumpyName(*opaque_type_))
          : ""));
}

absl::Status HeaderParser::ParseFortranOrder() {
  if (Take("True")) {
    is_fortran_order_ = true;
  } else if (Take("False")) {
    is_fortran_order_ = false;
  } else {
    return Expected("True or False");
  }
  return absl::OkStatus();
}

absl::Status HeaderParser::ParseShape() {
  RETURN_IF_ERROR(Expect('('));
  std::vector<int64_t> dims;
  while (!Take(")")) {
    ASSIGN_OR_RETURN(const int64_t size, ParseSize());
    dims.push_back(size);
    if (Take(",")) continue;
    // "(3)" is no tuple.
    if (dims.size() == 1) return Expected("','");
    if (!Take(")")) return Expected("',' or ')'");
    break;
  }
  dims_ = std::move(dims);
  return absl::OkStatus();
}

absl::StatusOr<std::string> HeaderParser::ParseString() {
  rest_ = absl::StripLeadingAsciiWhitespace(rest_);
  if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) {
    return Expected("a string");
  }
  const size_t end = rest_.find(rest_[0], 1);
  if (end == absl::string_view::npos) return Expected("a closed string");
  std::string value(rest_.substr(1, end - 1));
  rest_.remove_prefix(end + 1);
  return value;
}

absl::StatusOr<int64_t> HeaderParser::ParseSize() {
  rest_ = absl::StripLeadingAsciiWhitespace(rest_);
  size_t count = 0;
  while (count < rest_.size() && absl::ascii_isdigit(rest_[count])) ++count;
  int64_t size = 0;
  if (count == 0 || !absl::SimpleAtoi(rest_.substr(0, count), &size)) {
    return Expected("a size of 0 to 2^63 - 1");
  }
  rest_.remove_prefix(count);
  absl::ConsumePrefix(&rest_, "L");  // written by Python 2
  return size;
}

absl::Status Truncated(int64_t expected, size_t found) {
  return absl::InvalidArgumentError(
      absl::StrCat("npy: the header ends too early: expected ", expected,
                   " bytes, found ", found));
}

std::string DescrOf(ElementType type) {
  const auto* descr =
      std::find_if(std::begin(kDescrs), std::end(kDescrs),
                   [type](const Descr& d) { return d.type == type; });
  if (descr == std::end(kDescrs)) return absl::StrCat("|", kOpaqueCode);
  return absl::StrCat(ByteSize(type) == 1 ? "|" : "<", descr->code);
}

}  // namespace

absl::StatusOr<NpyHeader> ParseNpyHeader(
    absl::string_view bytes, std::optional<ElementType> opaque_type) {
  constexpr size_t kVersionEnd = 8;
  if (bytes.substr(0, kMagic.size()) !=
      kMagic.substr(0, std::min(bytes.size(), kMagic.size()))) {
    return absl::InvalidArgumentError(
        absl::StrCat("npy: expected the magic ", Quoted(kMagic), ", found ",
                     Quoted(bytes.substr(0, kMagic.size()))));
  }
  if (bytes.size() < kVersionEnd) return Truncated(kVersionEnd, bytes.size());
  const int major = static_cast<unsigned char>(bytes[6]);
  const int minor = static_cast<unsigned char>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "npy: expected version 1.0, 2.0 or 3.0, found ", major, ".", minor));
  }
  const size_t length_bytes = major == 1 ? 2 : 4;
  const size_t start = kVersionEnd + length_bytes;
  if (bytes.size() < start) {
    return Truncated(static_cast<int64_t>(start), bytes.size());
  }
  uint64_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) {
    length |= uint64_t{static_cast<unsigned char>(bytes[kVersionEnd + i])}
              << (8 * i);
  }
  const int64_t end = static_cast<int64_t>(start + length);
  if (end > kLongestNpyStart) {
    return absl::InvalidArgumentError(
        absl::StrCat("npy: expected a header of at most ", kLongestNpyStart,
                     " bytes, found ", end));
  }
  if (static_cast<int64_t>(bytes.size()) < end) {
    return Truncated(end, bytes.size());
  }
  ASSIGN_OR_RETURN(
      NpyHeader header,
      HeaderParser(bytes.substr(start, length), opaque_type).Parse());
  header.data_offset = end;
  return header;
}

std::string FormatNpyHeader(const Shape& shape) {
  std::string dict = absl::StrCat("{'descr': '", DescrOf(shape.element_type()),
                                  "', 'fortran_order': False, 'shape': (",
                                  absl::StrJoin(shape.dims(), ", "),
                                  shape.rank() == 1 ? ",), }" : "), }");
  // Version 1.0 has 16 bits for the length of what follows it.
  constexpr size_t kShortStart = 10;
  constexpr size_t kLongStart = 12;
  const bool is_long = dict.size() + kAlignment > 0xFFFF;
  const size_t start = is_long ? kLongStart : kShortStart;
  const size_t used = start + dict.size() + 1;
  dict.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  dict.push_back('\n');
  std::string header(kMagic);
  header.push_back(is_long ? 2 : 1);
  header.push_back(0);
  for (size_t i = 0; i < start - 8; ++i) {
    header.push_back(static_cast<char>(dict.size() >> (8 * i) & 0xFF));
  }
  return header + dict;
}

}  // namespace lockstep::internal
