#ifndef LOCKSTEP_RUNTIME_IR_OP_BUILDER_H_
#define LOCKSTEP_RUNTIME_IR_OP_BUILDER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Appends ops to a region. What an op is, its definition says: the types of its
// results are inferred, and every rule of the specification is checked. Used by
// one thread.
class OpBuilder {
 public:
  explicit OpBuilder(Region* region) : region_(region) {}

  Region* region() const { return region_; }
  // Of the ops to come.
  const Location& location() const { return location_; }
  void set_location(Location location) { location_ = std::move(location); }

  // `state` has name, operands, attributes and regions; result types only where
  // the definition infers none (reshape, convert, iota): they are verified. The
  // op belongs to the region. INVALID_ARGUMENT, "<unknown>: stablehlo.add: ..",
  // when a rule does not hold; UNIMPLEMENTED for an op that is not registered.
  // Nothing is appended then.
  absl::StatusOr<Op*> Build(OpState state);

  // The terminator of the region: "stablehlo.return", "func.return".
  Op* Terminate(absl::string_view name, std::vector<Value*> operands);

 private:
  Region* region_;
  Location location_;
};

// Makes a region that will belong to an op in the region of `around`, which is
// not built yet. Ops in it find their module through it.
std::unique_ptr<Region> MakeRegionWithin(const OpBuilder& around);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_OP_BUILDER_H_
