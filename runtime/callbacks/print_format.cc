#include "runtime/callbacks/print_format.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status WrongFormat(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("the format ", what));
}

bool IsNumber(absl::string_view field) {
  for (const char c : field) {
    if (!absl::ascii_isdigit(c)) return false;
  }
  return !field.empty();
}

// Which value each field means, and that all fit.
class FieldCount {
 public:
  explicit FieldCount(size_t values) : is_used_(values) {}

  // The position of the value that {field} means.
  absl::StatusOr<int64_t> Use(absl::string_view field) {
    int64_t position = 0;
    if (field.empty()) {
      position = next_++;
    } else if (!IsNumber(field) || !absl::SimpleAtoi(field, &position)) {
      return WrongFormat(absl::StrCat("has a field {", field,
                                      "}; expected {}, {0} or {device}"));
    } else {
      has_numbers_ = true;
    }
    if (has_numbers_ && next_ > 0) {
      return WrongFormat("has {} beside fields with numbers");
    }
    ++fields_;
    if (position < static_cast<int64_t>(is_used_.size())) {
      is_used_[static_cast<size_t>(position)] = true;
    } else {
      is_short_ = true;
    }
    return position;
  }

  absl::Status Check() const {
    for (size_t i = 0; i < is_used_.size() && !is_short_; ++i) {
      if (is_used_[i] || !has_numbers_) continue;
      return WrongFormat(absl::StrCat("has no field for value ", i));
    }
    if (!is_short_ && (has_numbers_ || fields_ == is_used_.size())) {
      return absl::OkStatus();
    }
    return WrongFormat(absl::StrCat("has ", fields_, " fields, found ",
                                    is_used_.size(), " values"));
  }

 private:
  std::vector<bool> is_used_;
  size_t fields_ = 0;
  int64_t next_ = 0;
  bool has_numbers_ = false;
  bool is_short_ = false;
};

}  // namespace

absl::StatusOr<PrintFormat> PrintFormat::Parse(absl::string_view text,
                                               size_t value_count) {
  PrintFormat format;
  FieldCount fields(value_count);
  std::string plain;
  const auto add = [&](int64_t value) {
    if (!plain.empty()) format.pieces_.push_back({kText, std::move(plain)});
    plain.clear();
    format.pieces_.push_back({value, ""});
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '{' && c != '}') {
      plain += c;
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == c) {
      plain += c;
      ++i;
      continue;
    }
    const size_t end = c == '{' ? text.find('}', i) : absl::string_view::npos;
    if (end == absl::string_view::npos) {
      return WrongFormat(absl::StrCat("has a '", absl::string_view(&c, 1),
                                      "' alone; write it twice"));
    }
    const absl::string_view field = text.substr(i + 1, end - i - 1);
    if (field == "device") {
      add(kDevice);
    } else {
      ASSIGN_OR_RETURN(const int64_t position, fields.Use(field));
      add(position);
    }
    i = end;
  }
  if (!plain.empty()) format.pieces_.push_back({kText, std::move(plain)});
  RETURN_IF_ERROR(fields.Check());
  return format;
}

std::string PrintFormat::Text(absl::Span<const LiteralView> values,
                              int64_t device) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    if (piece.value == kText) {
      absl::StrAppend(&text, piece.text);
    } else if (piece.value == kDevice) {
      absl::StrAppend(&text, device);
    } else {
      absl::StrAppend(&text,
                      ToString(values[static_cast<size_t>(piece.value)]));
    }
  }
  return text;
}

}  // namespace lockstep::internal
