#ifndef LOCKSTEP_RUNTIME_IR_VALUE_NAMES_H_
#define LOCKSTEP_RUNTIME_IR_VALUE_NAMES_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The names that values have in text, as MLIR gives them: "%arg0" for
// arguments, "%0", "%1", .. for results, "%cst", "%cst_0", .. where a
// definition says so. All values of a region are named before those of the
// regions in it, which each go on from there; a name is unique among what can
// be seen with it.
class ValueNames {
 public:
  // Of a function's body.
  void NameRegion(const Region& region);
  // Of an op that stands alone, its operands included.
  void NameOp(const Op& op);

  // Of a value that is defined elsewhere, "%outer0", "%outer1", ..
  const std::string& Of(const Value* value);
  // "%2" of "%2#0" and "%2#1". The op has a result.
  absl::string_view OfResults(const Op& op);

 private:
  // What a region goes on from.
  struct Numbers {
    int64_t value = 0;
    int64_t argument = 0;
    int64_t conflict = 0;
  };
  class UsedNames;

  void NameRegion(const Region& region, Numbers numbers,
                  const UsedNames* around);
  void NameResults(const Op& op, Numbers& numbers, UsedNames& used);

  absl::flat_hash_map<const Value*, std::string> names_;
  int64_t next_outer_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_VALUE_NAMES_H_
