#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_TEXT_SCANNER_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_TEXT_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// A cursor over the text of an attribute, which must outlive it. White space
// and /* comments */ separate tokens. Errors are INVALID_ARGUMENT and name the
// column, from 1, at which something else was expected.
class TextScanner {
 public:
  explicit TextScanner(absl::string_view text) : text_(text) { SkipBlanks(); }

  bool AtEnd() const { return position_ == text_.size(); }
  // The next character, '\0' at the end. It is not blank, unless it comes right
  // after what ConsumeAdjacent took.
  char Peek() const { return AtEnd() ? '\0' : text_[position_]; }
  // Whether `token` comes next; takes it, and the blanks behind it.
  bool Consume(absl::string_view token);
  // The same, without the blanks.
  bool ConsumeAdjacent(absl::string_view token);
  absl::Status Expect(absl::string_view token);
  absl::Status ExpectEnd();

  // A decimal number of 64 bits, perhaps negative, without leading zeros.
  absl::StatusOr<int64_t> Integer();
  // A name in quotes of MLIR, where \22 is the character with that code.
  absl::StatusOr<std::string> QuotedName();
  // A symbol, with its '@': @mesh, @"mesh".
  absl::StatusOr<std::string> Symbol();
  // What `element` reads, any number of times, between `open` and `close` and
  // separated by commas.
  absl::Status List(absl::string_view open, absl::string_view close,
                    absl::FunctionRef<absl::Status()> element);
  absl::StatusOr<std::vector<int64_t>> Integers(absl::string_view open,
                                                absl::string_view close);
  // A group in braces, with the groups and strings in it.
  absl::Status SkipBraces();

  // "column 7: " and `problem`.
  absl::Status Error(absl::string_view problem) const;
  // The error that `expected` did not come.
  absl::Status Expected(absl::string_view expected) const;

 private:
  void SkipBlanks();
  absl::Status SkipString();

  absl::string_view text_;
  size_t position_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_TEXT_SCANNER_H_
