#include "runtime/backends/cuda/codegen/cuda_lines.h"

#include <optional>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace lockstep::internal {
namespace {

using Names = absl::flat_hash_set<absl::string_view>;

bool IsInName(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// The name that ends at `end`, after spaces; "": there is none.
absl::string_view NameBefore(absl::string_view text, size_t end) {
  while (end > 0 && text[end - 1] == ' ') --end;
  size_t begin = end;
  while (begin > 0 && IsInName(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

// Adds the names to which `line` gives a value: those before an assignment or
// its operator, an element's array, and one that is declared without.
void AddAssigned(absl::string_view line, Names& names) {
  for (size_t at = line.find('='); at != absl::string_view::npos;
       at = line.find('=', at + 1)) {
    const bool is_comparison =
        (at > 0 && absl::StrContains("=!<>", line.substr(at - 1, 1)) &&
         !(at > 1 && line[at - 1] == line[at - 2])) ||
        absl::StartsWith(line.substr(at + 1), "=");
    if (is_comparison) continue;
    size_t end = at;
    while (end > 0 &&
           absl::StrContains("+-*/%&|^<> ", line.substr(end - 1, 1))) {
      --end;
    }
    if (end > 0 && line[end - 1] == ']') end = line.rfind('[', end);
    if (end == absl::string_view::npos) continue;
    names.insert(NameBefore(line, end));
  }
  if (absl::EndsWith(line, ";") && !absl::StrContains(line, '=')) {
    names.insert(NameBefore(line, line.size() - 1));
  }
}

// "const f32 v12 = Add(v3, v4);": the name and what it is. Nothing where the
// line is another, or reads memory.
struct Scalar {
  absl::string_view name;
  absl::string_view value;
};
std::optional<Scalar> ScalarOf(absl::string_view line) {
  if (!absl::ConsumePrefix(&line, "const ")) return std::nullopt;
  const size_t equals = line.find(" = ");
  if (equals == absl::string_view::npos) return std::nullopt;
  const Scalar scalar = {NameBefore(line, equals), line.substr(equals + 3)};
  absl::string_view digits = scalar.name;
  if (!absl::ConsumePrefix(&digits, "v") || digits.empty() ||
      !absl::c_all_of(digits, absl::ascii_isdigit) ||
      absl::StrContains(scalar.value, "Load") ||
      absl::StrContains(scalar.value, '[')) {
    return std::nullopt;
  }
  return scalar;
}

bool Uses(absl::string_view value, const Names& names) {
  for (size_t at = 0; at < value.size();) {
    if (!IsInName(value[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < value.size() && IsInName(value[end])) ++end;
    if (names.contains(value.substr(at, end - at))) return true;
    at = end;
  }
  return false;
}

}  // namespace

void CudaLines::Add(absl::string_view line) {
  absl::StrAppend(&text_, std::string(static_cast<size_t>(2 * depth_), ' '),
                  line, "\n");
}

void CudaLines::Open(absl::string_view line) {
  starts_.push_back(text_.size());
  Add(absl::StrCat(line, line.empty() ? "{" : " {"));
  ++depth_;
}

void CudaLines::Close(absl::string_view line) {
  HoistScalars(starts_.back());
  starts_.pop_back();
  --depth_;
  Add(absl::StrCat("}", line.empty() ? "" : " ", line));
}

void CudaLines::Deepen() {
  starts_.push_back(text_.size());
  ++depth_;
}

void CudaLines::HoistScalars(size_t start) {
  const std::string block = text_.substr(start);
  std::vector<absl::string_view> lines = absl::StrSplit(block, '\n');
  lines.pop_back();  // after the last end of a line
  if (lines.empty()) return;
  const std::string indent(static_cast<size_t>(2 * (depth_ - 1)), ' ');
  if (!absl::StartsWith(lines.front(), absl::StrCat(indent, "for ("))) return;
  Names changing;
  for (const absl::string_view line : lines) AddAssigned(line, changing);
  std::string before, after;
  for (const absl::string_view line : lines) {
    absl::string_view content = line;
    const bool is_direct = absl::ConsumePrefix(&content, indent) &&
                           absl::ConsumePrefix(&content, "  ") &&
                           !absl::StartsWith(content, " ");
    const std::optional<Scalar> scalar =
        is_direct ? ScalarOf(content) : std::nullopt;
    if (!scalar.has_value() || Uses(scalar->value, changing)) {
      absl::StrAppend(&after, line, "\n");
      continue;
    }
    changing.erase(scalar->name);
    absl::StrAppend(&before, indent, content, "\n");
  }
  if (before.empty()) return;
  // What says how a loop is unrolled stays with it.
  size_t place = start;
  if (place > 1) {
    const size_t previous = text_.rfind('\n', place - 2);
    const size_t begin = previous == std::string::npos ? 0 : previous + 1;
    const absl::string_view line =
        absl::string_view(text_).substr(begin, place - begin);
    if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(line), "#pragma")) {
      place = begin;
    }
  }
  const std::string pragma = text_.substr(place, start - place);
  text_.resize(place);
  absl::StrAppend(&text_, before, pragma, after);
}

void CudaLines::InsertAt(size_t mark, absl::string_view line) {
  text_.insert(mark,
               absl::StrCat(std::string(static_cast<size_t>(2 * depth_), ' '),
                            line, "\n"));
}

std::string CudaLines::NewName(absl::string_view prefix) {
  return absl::StrCat(prefix, names_++);
}

}  // namespace lockstep::internal
