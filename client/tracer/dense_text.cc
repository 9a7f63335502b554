#include "client/tracer/dense_text.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/types/element_text.h"

namespace lockstep::internal {
namespace {

// Above this many elements a constant is a hex blob.
constexpr int64_t kMaxListedElements = 64;

void AppendList(ElementType type, absl::Span<const int64_t> dims,
                const std::byte*& element, std::string& out) {
  if (dims.empty()) {
    out += FormatElement(type, element);
    element += ByteSize(type);
    return;
  }
  out += "[";
  for (int64_t i = 0; i < dims[0]; ++i) {
    if (i > 0) out += ", ";
    AppendList(type, dims.subspan(1), element, out);
  }
  out += "]";
}

bool IsSplat(const Literal& literal) {
  const int64_t size = ByteSize(literal.shape().element_type());
  const int64_t bytes = literal.shape().byte_size();
  return bytes > 0 && std::memcmp(literal.bytes(), literal.bytes() + size,
                                  bytes - size) == 0;
}

std::string Body(const Literal& literal) {
  const Shape& shape = literal.shape();
  if (shape.element_count() == 0) return "";
  if (!IsSplat(literal) && shape.element_count() > kMaxListedElements) {
    std::string hex = absl::BytesToHexString(absl::string_view(
        reinterpret_cast<const char*>(literal.bytes()), shape.byte_size()));
    for (char& c : hex) c = absl::ascii_toupper(c);
    return absl::StrCat("\"0x", hex, "\"");
  }
  const std::byte* element = literal.bytes();
  std::string out;
  AppendList(shape.element_type(),
             IsSplat(literal) ? absl::Span<const int64_t>() : shape.dims(),
             element, out);
  return out;
}

}  // namespace

std::string DenseText(const Literal& literal) {
  return absl::StrCat("dense<", Body(literal),
                      "> : ", literal.shape().ToString());
}

std::string SplatText(const Literal& scalar, const Shape& shape) {
  return absl::StrCat("dense<", shape.element_count() == 0 ? "" : Body(scalar),
                      "> : ", shape.ToString());
}

std::string TableText(const std::vector<std::vector<int64_t>>& rows,
                      int64_t columns) {
  for (const auto& row : rows) {
    columns = std::max(columns, static_cast<int64_t>(row.size()));
  }
  std::vector<std::string> lines;
  for (std::vector<int64_t> row : rows) {
    row.resize(columns, -1);
    lines.push_back(absl::StrCat("[", absl::StrJoin(row, ", "), "]"));
  }
  const std::string body =
      lines.empty() ? "" : absl::StrCat("[", absl::StrJoin(lines, ", "), "]");
  return absl::StrCat("dense<", body, "> : tensor<", rows.size(), "x", columns,
                      "xi64>");
}

}  // namespace lockstep::internal
