#include "runtime/frontend/literal_parser.h"

#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/frontend/definitions.h"
#include "runtime/frontend/type_parser.h"
#include "runtime/types/element_text.h"

namespace lockstep::internal {
namespace {

// Where the ">" of "dense<" is: a first pass over the values without looking
// at them, since their type comes after them.
absl::StatusOr<const char*> FindEnd(Cursor cursor) {
  while (!cursor.Is(">")) {
    const Token& token = cursor.token();
    const bool is_value =
        token.kind == TokenKind::kInteger || token.kind == TokenKind::kFloat ||
        token.kind == TokenKind::kString || token.Is("true") ||
        token.Is("false") || token.Is("[") || token.Is("]") || token.Is("(") ||
        token.Is(")") || token.Is(",") || token.Is("-");
    if (!is_value) return cursor.Unexpected("a value or '>'");
    cursor.Advance();
  }
  return cursor.token().begin();
}

// Reads the values of a literal of known shape.
class ElementReader {
 public:
  ElementReader(Cursor& cursor, const Shape& shape)
      : cursor_(cursor),
        shape_(shape),
        element_size_(ByteSize(shape.element_type())) {}

  // One value; `out` receives its bytes.
  absl::Status ReadElement(std::byte* out) {
    const char* const begin = cursor_.token().begin();
    RETURN_IF_ERROR(SkipElement());
    absl::string_view text(begin,
                           static_cast<size_t>(cursor_.previous_end() - begin));
    std::string without_blank;
    if (text.size() > 1 && text[0] == '-' && text[1] <= ' ') {
      without_blank =
          absl::StrCat("-", text.substr(text.find_first_not_of(" \t\r\n", 1)));
      text = without_blank;
    }
    const absl::Status status = ParseDecimal(text, shape_.element_type(), out);
    return status.ok() ? status : cursor_.Locate(status, begin);
  }

  // Nested lists that must have the shape's sizes.
  absl::Status ReadLists(int64_t dim, std::byte*& next) {
    if (dim == shape_.rank()) {
      if (cursor_.Is("[")) {
        return cursor_.Unexpected(
            absl::StrCat("a value of ", shape_.ToString()));
      }
      RETURN_IF_ERROR(ReadElement(next));
      next += element_size_;
      return absl::OkStatus();
    }
    const Token open = cursor_.token();
    if (!cursor_.TryConsume("[")) {
      return cursor_.Unexpected(
          absl::StrCat("'[' of dimension ", dim, " of ", shape_.ToString()));
    }
    int64_t count = 0;
    while (!cursor_.Is("]")) {
      if (count == shape_.dim(dim)) return WrongCount(open, dim, "more");
      if (count++ > 0) RETURN_IF_ERROR(cursor_.Expect(","));
      RETURN_IF_ERROR(ReadLists(dim + 1, next));
    }
    if (count != shape_.dim(dim)) {
      return WrongCount(open, dim, absl::StrCat(count));
    }
    cursor_.Advance();
    return absl::OkStatus();
  }

 private:
  absl::Status WrongCount(const Token& open, int64_t dim,
                          absl::string_view found) {
    return InvalidAt(
        cursor_.LocationOf(open),
        absl::StrCat("expected ", shape_.dim(dim), " elements in dimension ",
                     dim, " of ", shape_.ToString(), ", found ", found));
  }

  absl::Status SkipNumber() {
    cursor_.TryConsume("-");
    if (!cursor_.Is(TokenKind::kInteger) && !cursor_.Is(TokenKind::kFloat)) {
      return cursor_.Unexpected("a number");
    }
    cursor_.Advance();
    return absl::OkStatus();
  }

  absl::Status SkipElement() {
    if (cursor_.TryConsume("true") || cursor_.TryConsume("false")) {
      return absl::OkStatus();
    }
    if (!cursor_.TryConsume("(")) return SkipNumber();
    RETURN_IF_ERROR(SkipNumber());
    RETURN_IF_ERROR(cursor_.Expect(","));
    RETURN_IF_ERROR(SkipNumber());
    return cursor_.Expect(")");
  }

  Cursor& cursor_;
  const Shape& shape_;
  const int64_t element_size_;
};

// How many bytes of text at least a list of the shape's elements takes.
absl::Status CheckSize(const Cursor& cursor, const char* end,
                       const Shape& shape) {
  const int64_t text_size = end - cursor.token().begin();
  if (shape.element_count() <= text_size) return absl::OkStatus();
  return cursor.Error(absl::StrCat("expected ", shape.element_count(),
                                   " values for ", shape.ToString(),
                                   ", found fewer"));
}

// The values from the cursor to the ">" at `end`.
absl::StatusOr<Attribute::Elements> ReadValues(Cursor& cursor, const char* end,
                                               const Shape& shape) {
  if (cursor.Is(TokenKind::kString)) {
    const Token blob = cursor.token();
    cursor.Advance();
    auto elements =
        ElementsFromHex(blob.text.substr(1, blob.text.size() - 2), shape, 0);
    if (!elements.ok()) return cursor.Locate(elements.status(), blob.begin());
    return elements;
  }
  ElementReader reader(cursor, shape);
  if (!cursor.Is("[") && !cursor.Is(">")) {
    Literal value(Shape(shape.element_type(), {}));
    RETURN_IF_ERROR(reader.ReadElement(value.mutable_bytes()));
    return Attribute::Elements{
        shape, std::make_shared<const Literal>(std::move(value)), true};
  }
  RETURN_IF_ERROR(CheckSize(cursor, end, shape));
  Literal values(shape);
  if (cursor.Is("[")) {
    std::byte* next = values.mutable_bytes();
    RETURN_IF_ERROR(reader.ReadLists(0, next));
  } else if (shape.element_count() != 0) {
    return cursor.Unexpected(absl::StrCat("values of ", shape.ToString()));
  }
  return Attribute::Elements{
      shape, std::make_shared<const Literal>(std::move(values)), false};
}

// The dims of "tensor<2x3xindex>".
std::optional<Dims> DimsOfIndexTensor(absl::string_view type) {
  if (!absl::ConsumePrefix(&type, "tensor<") ||
      !absl::ConsumeSuffix(&type, "index>")) {
    return std::nullopt;
  }
  Dims dims;
  for (absl::string_view dim : absl::StrSplit(type, 'x', absl::SkipEmpty())) {
    int64_t size = 0;
    if (!absl::SimpleAtoi(dim, &size)) return std::nullopt;
    dims.push_back(size);
  }
  return dims;
}

// ": tensor<..>". Values of type index, as layouts of custom calls have them,
// are read as i64; no tensor of a program has that type.
absl::StatusOr<Shape> ParseLiteralType(Cursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect(":"));
  const Token token = cursor.token();
  ASSIGN_OR_RETURN(const ParsedType parsed, ParseAnyType(cursor));
  if (!parsed.supported.ok()) {
    const auto dims = DimsOfIndexTensor(parsed.text);
    if (!dims.has_value()) return parsed.supported;
    auto shape = Shape::Create(ElementType::kS64, *dims);
    if (!shape.ok()) return cursor.Locate(shape.status(), token.begin());
    return shape;
  }
  const Type& type = parsed.type;
  if (type.is_tensor()) return type.shape();
  return InvalidAt(
      cursor.LocationOf(token),
      absl::StrCat("expected a tensor type, found ", type.ToString()));
}

}  // namespace

absl::StatusOr<Attribute> ParseDense(Cursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect("dense"));
  RETURN_IF_ERROR(cursor.Expect("<"));
  ASSIGN_OR_RETURN(const char* end, FindEnd(cursor));
  const char* const begin = cursor.token().begin();
  cursor.MoveTo(end);
  RETURN_IF_ERROR(cursor.Expect(">"));
  ASSIGN_OR_RETURN(const Shape shape, ParseLiteralType(cursor));
  const char* const after = cursor.previous_end();
  cursor.MoveTo(begin);
  ASSIGN_OR_RETURN(Attribute::Elements elements,
                   ReadValues(cursor, end, shape));
  if (!cursor.Is(">")) return cursor.Unexpected("'>' after the values");
  cursor.MoveTo(after);
  return Attribute(std::move(elements));
}

absl::StatusOr<Attribute> ParseDenseResource(Cursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect("dense_resource"));
  RETURN_IF_ERROR(cursor.Expect("<"));
  const Token key = cursor.token();
  if (key.kind != TokenKind::kWord && key.kind != TokenKind::kString) {
    return cursor.Unexpected("the name of a resource");
  }
  cursor.Advance();
  RETURN_IF_ERROR(cursor.Expect(">"));
  ASSIGN_OR_RETURN(const Shape shape, ParseLiteralType(cursor));
  if (key.text == "__elided__") {
    return InvalidAt(cursor.LocationOf(key),
                     "resource __elided__ has no data: the tool that printed "
                     "this text left it out");
  }
  ASSIGN_OR_RETURN(const Token blob,
                   cursor.state().definitions.FindResource(cursor, key));
  constexpr size_t kAlignmentBytes = 4;
  auto elements = ElementsFromHex(blob.text.substr(1, blob.text.size() - 2),
                                  shape, kAlignmentBytes);
  if (!elements.ok()) {
    return cursor.Locate(
        Annotate(elements.status(), absl::StrCat("resource ", key.text)),
        key.begin());
  }
  return Attribute(*std::move(elements));
}

}  // namespace lockstep::internal
