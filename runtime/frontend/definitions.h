#ifndef LOCKSTEP_RUNTIME_FRONTEND_DEFINITIONS_H_
#define LOCKSTEP_RUNTIME_FRONTEND_DEFINITIONS_H_

#include <memory>
#include <variant>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/frontend/cursor.h"
#include "runtime/frontend/type_parser.h"
#include "runtime/ir/attribute.h"
#include "runtime/ir/location.h"

namespace lockstep::internal {

// What the top level of a text gives a name to: attribute aliases (#a), type
// aliases (!t) and resources. They may stand before or after their uses: the
// text is searched once, when the first of them is asked for. Each is parsed
// at most once.
class Definitions {
 public:
  explicit Definitions(const SourceText& source) : source_(source) {}

  // `name` is the token "#a" or "!t"; `cursor` stands behind it.
  absl::StatusOr<Attribute> ResolveAttribute(Cursor& cursor, const Token& name);
  // Of an alias of a location: its place, or null.
  absl::StatusOr<std::shared_ptr<const Location>> ResolveLocation(
      Cursor& cursor, const Token& name);
  // Whether the text defines it at all.
  bool Defines(Cursor& cursor, const Token& name);
  absl::StatusOr<ParsedType> ResolveType(Cursor& cursor, const Token& name);
  // The string token of the resource `key`.
  absl::StatusOr<Token> FindResource(const Cursor& cursor, const Token& key);

  // Reads "#a = value" or "!t = type" at the top level.
  absl::Status ParseAlias(Cursor& cursor);
  // Reads "{-# .. #-}".
  static absl::Status SkipResources(Cursor& cursor);

 private:
  struct Alias {
    const char* value_position = nullptr;
    bool is_being_parsed = false;
    // How much text stands for one use, aliases inside included.
    size_t bytes = 0;
    std::variant<std::monostate, Attribute, ParsedType> value;
    std::shared_ptr<const Location> place;  // once somebody asked for it
  };

  void Search(Cursor& cursor);
  absl::StatusOr<Alias*> Resolve(Cursor& cursor, const Token& name);
  absl::Status ParseValue(Cursor& cursor, Alias& alias, bool is_type);

  const SourceText& source_;
  bool searched_ = false;
  absl::flat_hash_map<absl::string_view, Alias> aliases_;
  absl::flat_hash_map<absl::string_view, Token> resources_;
  absl::flat_hash_set<absl::string_view> parsed_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_DEFINITIONS_H_
