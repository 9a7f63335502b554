#ifndef LOCKSTEP_RUNTIME_FRONTEND_VALUE_SCOPE_H_
#define LOCKSTEP_RUNTIME_FRONTEND_VALUE_SCOPE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/frontend/cursor.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Which value a %name means. Names of a region end with it; a name may not be
// given again while it is in scope.
class ValueScope {
 public:
  // Names `count` results of `op` from `first` on: "%3:2" gives %3#0, %3#1.
  absl::Status DefineResults(const Cursor& cursor, const Token& name,
                             const Op& op, int first, int count);
  absl::Status DefineArgument(const Cursor& cursor, const Token& name,
                              Value* argument);
  // `name` is a token "%a" or "%a#1".
  absl::StatusOr<Value*> Find(const Cursor& cursor, const Token& name) const;

  // "%a defined at f:1:2"; "a value" for one without a name in scope.
  std::string Describe(const SourceText& source, const Value* value) const;

  // Ends the names that were given after Mark() returned `mark`.
  size_t Mark() const { return order_.size(); }
  void Release(size_t mark);

 private:
  struct Binding {
    const Op* op = nullptr;  // null for an argument
    Value* argument = nullptr;
    int first = 0;
    int count = 1;
    const char* position = nullptr;  // of the name
  };

  absl::Status Define(const Cursor& cursor, const Token& name, Binding binding);

  absl::flat_hash_map<absl::string_view, Binding> bindings_;
  std::vector<absl::string_view> order_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_VALUE_SCOPE_H_
