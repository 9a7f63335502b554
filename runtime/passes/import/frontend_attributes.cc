#include "runtime/passes/import/frontend_attributes.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kDictionary = "mhlo.frontend_attributes";

std::string Unescaped(absl::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const absl::string_view code = text.substr(i + 1, 2);
    if (code.size() == 2 && absl::ascii_isxdigit(code[0]) &&
        absl::ascii_isxdigit(code[1])) {
      plain += absl::HexStringToBytes(code);
      i += 2;
    } else {
      plain += text[++i];
    }
  }
  return plain;
}

AttributeMap Entries(const AttributeMap& attributes) {
  const Attribute* found = attributes.Find(kDictionary);
  const auto* dictionary =
      found == nullptr ? nullptr : found->As<Attribute::Dictionary>();
  return dictionary == nullptr ? AttributeMap() : dictionary->entries;
}

}  // namespace

const Attribute* FindFrontendAttribute(const AttributeMap& attributes,
                                       absl::string_view name) {
  const Attribute* found = attributes.Find(kDictionary);
  const auto* dictionary =
      found == nullptr ? nullptr : found->As<Attribute::Dictionary>();
  return dictionary == nullptr ? nullptr : dictionary->entries.Find(name);
}

bool HasFrontendAttribute(const AttributeMap& attributes,
                          absl::string_view prefix) {
  const AttributeMap entries = Entries(attributes);
  return absl::c_any_of(entries.entries(), [&](const auto& entry) {
    return absl::StartsWith(entry.first, prefix);
  });
}

void SetFrontendAttribute(AttributeMap& attributes, absl::string_view name,
                          Attribute value) {
  AttributeMap entries = Entries(attributes);
  entries.Set(name, std::move(value));
  attributes.Set(kDictionary, Attribute::Dictionary{std::move(entries)});
}

absl::StatusOr<std::optional<std::string>> TakeFrontendText(
    AttributeMap& attributes, absl::string_view name) {
  const Attribute* found = FindFrontendAttribute(attributes, name);
  if (found == nullptr) return std::nullopt;
  const auto* text = found->As<Attribute::String>();
  if (text == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": expected a string, found ", Print(*found)));
  }
  std::string plain = Unescaped(text->value);
  AttributeMap entries = Entries(attributes);
  entries.Remove(name);
  if (entries.empty()) {
    attributes.Remove(kDictionary);
  } else {
    attributes.Set(kDictionary, Attribute::Dictionary{std::move(entries)});
  }
  return plain;
}

}  // namespace lockstep::internal
