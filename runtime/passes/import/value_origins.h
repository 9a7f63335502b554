#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_VALUE_ORIGINS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_VALUE_ORIGINS_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/module.h"
#include "runtime/passes/import/shape_change.h"

namespace lockstep::internal {

// What the ops of a module compute from. Ops that were not there when it was
// made are unknown to it. Used by one thread.
class ValueOrigins {
 public:
  enum class Origin {
    kArguments,  // of functions and regions, shards, or values of both
    kConstants,  // constants alone: an op that may be computed anywhere, again
    // Nothing else, but it or one before it has an effect, so that it stays the
    // only one.
    kEffects,
  };

  ValueOrigins(const Module& module, const ShapeChanges& changes);

  Origin Of(const Op& op) const;
  // Ops of origin kConstants of which these and themselves are made, those
  // first that others of them use.
  std::vector<const Op*> ConstantsFor(std::vector<const Op*> ops) const;
  // A copy of one of these.
  void AddCopy(const Op& of, const Op& copy);

 private:
  struct Entry {
    Origin origin;
    int64_t place;  // ascending in the order of ops
  };

  absl::flat_hash_map<const Op*, Entry> entries_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_VALUE_ORIGINS_H_
