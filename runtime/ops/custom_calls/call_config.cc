#include "runtime/ops/custom_calls/call_config.h"

#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status Malformed(const Op& op, absl::string_view name,
                       const absl::Status& status) {
  return op.Error(
      absl::StrCat("backend_config: ", name, ": ", status.message()));
}

// "'L' (76)".
std::string LetterText(char letter) {
  return absl::StrCat("'", std::string(1, letter), "' (",
                      static_cast<int>(letter), ")");
}

// The integer after "name": in the text of a JSON object.
std::optional<int64_t> JsonInteger(absl::string_view json,
                                   absl::string_view name) {
  const std::string quoted_name = absl::StrCat("\"", name, "\"");
  const size_t place = json.find(quoted_name);
  if (place == absl::string_view::npos) return std::nullopt;
  json = absl::StripLeadingAsciiWhitespace(
      json.substr(place + quoted_name.size()));
  if (!absl::ConsumePrefix(&json, ":")) return std::nullopt;
  json = absl::StripLeadingAsciiWhitespace(json);
  int64_t value;
  if (!absl::SimpleAtoi(json.substr(0, json.find_first_not_of("0123456789")),
                        &value)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

CallConfig::CallConfig(const Op& op) : op_(op) {
  for (absl::string_view name :
       {"mhlo.backend_config", "backend_config", "mhlo.attributes"}) {
    const Attribute* config = op.attribute(name);
    if (config == nullptr) continue;
    if (const auto* fields = config->As<Attribute::Dictionary>()) {
      fields_ = &fields->entries;
      return;
    }
  }
}

const Attribute* CallConfig::Find(absl::string_view name) const {
  return fields_ == nullptr ? nullptr : fields_->Find(name);
}

absl::StatusOr<int64_t> CallConfig::Integer(absl::string_view name) const {
  const Attribute* field = Find(name);
  if (field == nullptr) {
    return op_.Error(
        absl::StrCat("backend_config: expected an integer as ", name));
  }
  absl::StatusOr<int64_t> value = IntegerOf(*field);
  if (!value.ok()) return Malformed(op_, name, value.status());
  return value;
}

absl::StatusOr<int64_t> CallConfig::IntegerOr(absl::string_view name,
                                              int64_t default_value) const {
  if (Find(name) == nullptr) return default_value;
  return Integer(name);
}

absl::StatusOr<bool> CallConfig::Bool(absl::string_view name) const {
  const Attribute* field = Find(name);
  if (field == nullptr) {
    return op_.Error(
        absl::StrCat("backend_config: expected true or false as ", name));
  }
  absl::StatusOr<bool> value = BoolOf(*field);
  if (!value.ok()) return Malformed(op_, name, value.status());
  return value;
}

absl::StatusOr<bool> CallConfig::BoolOr(absl::string_view name,
                                        bool default_value) const {
  if (Find(name) == nullptr) return default_value;
  return Bool(name);
}

absl::StatusOr<char> CallConfig::Letter(absl::string_view name,
                                        absl::string_view letters) const {
  ASSIGN_OR_RETURN(const int64_t code, Integer(name));
  std::vector<std::string> expected;
  for (const char letter : letters) {
    if (code == letter) return letter;
    expected.push_back(LetterText(letter));
  }
  return op_.Error(absl::StrCat("backend_config: ", name, ": expected ",
                                absl::StrJoin(expected, " or "), ", found ",
                                code));
}

std::optional<int64_t> FindConfigInteger(const Op& op, absl::string_view name) {
  const CallConfig config(op);
  if (const Attribute* field = config.Find(name)) {
    const absl::StatusOr<int64_t> value = IntegerOf(*field);
    if (value.ok()) return *value;
  }
  const Attribute* text = op.attribute("backend_config");
  const auto* json = text == nullptr ? nullptr : text->As<Attribute::String>();
  if (json == nullptr) return std::nullopt;
  return JsonInteger(json->value, name);
}

}  // namespace lockstep::internal
