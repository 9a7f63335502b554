#include "runtime/frontend/definitions.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/attribute_parser.h"
#include "runtime/frontend/resource_parser.h"

namespace lockstep::internal {
namespace {

// Aliases of aliases of aliases: a short text can stand for a huge one.
constexpr size_t kMaxExpandedBytes = size_t{256} << 20;

}  // namespace

void Definitions::Search(Cursor& cursor) {
  if (searched_) return;
  searched_ = true;
  Cursor at(cursor.state(), source_.begin());
  int depth = 0;
  while (!at.Is(TokenKind::kEnd) && !at.Is(TokenKind::kError)) {
    const Token token = at.token();
    if (token.Is("{-#")) {
      const absl::Status status =
          ParseResources(at, [this](const Token& key, const Token& value) {
            resources_.emplace(key.text, value);
          });
      if (!status.ok()) at.MoveTo(token.end());
      continue;
    }
    at.Advance();
    if (token.Is("{") || token.Is("(") || token.Is("[")) ++depth;
    if (token.Is("}") || token.Is(")") || token.Is("]")) --depth;
    const bool is_name = token.kind == TokenKind::kHashName ||
                         token.kind == TokenKind::kBangName;
    if (depth == 0 && is_name && at.Is("=")) {
      aliases_[token.text].value_position = at.token().end();
    }
  }
}

absl::Status Definitions::ParseValue(Cursor& cursor, Alias& alias,
                                     bool is_type) {
  size_t& expanded = cursor.state().expanded_bytes;
  const size_t expanded_before = expanded;
  Cursor at(cursor.state(), alias.value_position);
  const char* const begin = at.token().begin();
  alias.is_being_parsed = true;
  if (is_type) {
    ASSIGN_OR_RETURN(alias.value, ParseAnyType(at));
  } else {
    ASSIGN_OR_RETURN(alias.value, ParseAttribute(at));
  }
  alias.is_being_parsed = false;
  alias.bytes = static_cast<size_t>(at.previous_end() - begin) +
                (expanded - expanded_before);
  expanded = expanded_before;
  return absl::OkStatus();
}

absl::StatusOr<Definitions::Alias*> Definitions::Resolve(Cursor& cursor,
                                                         const Token& name) {
  Search(cursor);
  const auto found = aliases_.find(name.text);
  if (found == aliases_.end()) {
    return InvalidAt(
        cursor.LocationOf(name),
        absl::StrCat("expected a definition of ", name.text, ", found none"));
  }
  Alias& alias = found->second;
  if (alias.is_being_parsed) {
    return InvalidAt(cursor.LocationOf(name),
                     absl::StrCat("alias ", name.text, " contains itself"));
  }
  if (std::holds_alternative<std::monostate>(alias.value)) {
    RETURN_IF_ERROR(
        ParseValue(cursor, alias, name.kind == TokenKind::kBangName));
  }
  size_t& expanded = cursor.state().expanded_bytes;
  expanded += alias.bytes;
  if (expanded > kMaxExpandedBytes) {
    return InvalidAt(
        cursor.LocationOf(name),
        absl::StrCat("expected at most ", kMaxExpandedBytes,
                     " bytes of text for all aliases, found more"));
  }
  return &alias;
}

absl::StatusOr<Attribute> Definitions::ResolveAttribute(Cursor& cursor,
                                                        const Token& name) {
  ASSIGN_OR_RETURN(const Alias* alias, Resolve(cursor, name));
  return std::get<Attribute>(alias->value);
}

absl::StatusOr<std::shared_ptr<const Location>> Definitions::ResolveLocation(
    Cursor& cursor, const Token& name) {
  ASSIGN_OR_RETURN(Alias * alias, Resolve(cursor, name));
  if (alias->place != nullptr) return alias->place;
  const auto* attribute = std::get_if<Attribute>(&alias->value);
  const auto* place =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Place>();
  if (place == nullptr) return alias->place;
  alias->place = std::make_shared<const Location>(
      Location{std::make_shared<const std::string>(place->file), place->line,
               place->column});
  return alias->place;
}

bool Definitions::Defines(Cursor& cursor, const Token& name) {
  Search(cursor);
  return aliases_.contains(name.text);
}

absl::StatusOr<ParsedType> Definitions::ResolveType(Cursor& cursor,
                                                    const Token& name) {
  ASSIGN_OR_RETURN(const Alias* alias, Resolve(cursor, name));
  return std::get<ParsedType>(alias->value);
}

absl::StatusOr<Token> Definitions::FindResource(const Cursor& cursor,
                                                const Token& key) {
  Cursor at(cursor);
  Search(at);
  const auto found = resources_.find(key.text);
  if (found == resources_.end()) {
    return InvalidAt(
        cursor.LocationOf(key),
        absl::StrCat("expected a resource named ", key.text, ", found none"));
  }
  return found->second;
}

absl::Status Definitions::ParseAlias(Cursor& cursor) {
  const bool is_type = cursor.Is(TokenKind::kBangName);
  const Token name = cursor.token();
  cursor.Advance();
  RETURN_IF_ERROR(cursor.Expect("="));
  if (!parsed_.insert(name.text).second) {
    return InvalidAt(cursor.LocationOf(name),
                     absl::StrCat("alias ", name.text, " is defined twice"));
  }
  return is_type ? ParseAnyType(cursor).status()
                 : ParseAttribute(cursor).status();
}

absl::Status Definitions::SkipResources(Cursor& cursor) {
  return ParseResources(cursor, [](const Token&, const Token&) {});
}

}  // namespace lockstep::internal
