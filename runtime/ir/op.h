#ifndef LOCKSTEP_RUNTIME_IR_OP_H_
#define LOCKSTEP_RUNTIME_IR_OP_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/attribute.h"
#include "runtime/ir/location.h"
#include "runtime/ir/type.h"

namespace lockstep::internal {

class Function;
class Op;
class OpBuilder;
class OpDef;
class Region;

// A result of an op or an argument of a region. Owned by it; its address is
// its identity.
class Value {
 public:
  Value(Type type, Op* defining_op, Region* region, int index)
      : type_(std::move(type)),
        defining_op_(defining_op),
        region_(region),
        index_(index) {}

  const Type& type() const { return type_; }
  const Shape& shape() const { return type_.shape(); }
  void set_type(Type type) { type_ = std::move(type); }
  // Null for an argument.
  Op* defining_op() const { return defining_op_; }
  // The region whose argument this is; null for a result.
  Region* region() const { return region_; }
  int index() const { return index_; }

 private:
  Type type_;
  Op* const defining_op_;
  Region* const region_;
  const int index_;
};

// One block of ops with arguments; the last op is a terminator. Ops may use
// values of enclosing regions. Owned by an op or a function.
class Region {
 public:
  Region();
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  Value* AddArgument(Type type);
  const std::vector<std::unique_ptr<Value>>& arguments() const {
    return arguments_;
  }
  Op* Append(std::unique_ptr<Op> op);
  const std::vector<std::unique_ptr<Op>>& ops() const { return ops_; }
  // For passes that rebuild the list.
  std::vector<std::unique_ptr<Op>>& mutable_ops() { return ops_; }
  // The last op, or null when there is none.
  const Op* terminator() const {
    return ops_.empty() ? nullptr : ops_.back().get();
  }
  // The op or the function that owns this region; one of them is null.
  Op* parent_op() const { return parent_op_; }
  Function* parent_function() const { return parent_function_; }
  // The region in which the owner stands, null for a function's; also while the
  // owner is being built.
  Region* enclosing() const;

 private:
  friend class Op;
  friend class Function;
  friend std::unique_ptr<Region> MakeRegionWithin(const OpBuilder& around);
  std::vector<std::unique_ptr<Value>> arguments_;
  std::vector<std::unique_ptr<Op>> ops_;
  Op* parent_op_ = nullptr;
  Function* parent_function_ = nullptr;
  Region* enclosing_ = nullptr;  // until there is an owner
};

// What it takes to make an op.
struct OpState {
  std::string name;  // "stablehlo.add"
  const OpDef* def = nullptr;
  Location location;
  std::vector<Value*> operands;
  std::vector<Type> result_types;
  AttributeMap attributes;
  std::vector<std::unique_ptr<Region>> regions;
};

class Op {
 public:
  explicit Op(OpState state);
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;

  const std::string& name() const { return name_; }
  // Null for an op that nobody registered.
  const OpDef* def() const { return def_; }
  const Location& location() const { return location_; }
  Region* parent() const { return parent_; }

  const std::vector<Value*>& operands() const { return operands_; }
  Value* operand(int i) const { return operands_[i]; }
  void set_operand(int i, Value* value) { operands_[i] = value; }
  int operand_count() const { return static_cast<int>(operands_.size()); }

  const std::vector<std::unique_ptr<Value>>& results() const {
    return results_;
  }
  Value* result(int i = 0) const { return results_[i].get(); }
  int result_count() const { return static_cast<int>(results_.size()); }

  const AttributeMap& attributes() const { return attributes_; }
  AttributeMap& mutable_attributes() { return attributes_; }
  const Attribute* attribute(absl::string_view name) const {
    return attributes_.Find(name);
  }

  const std::vector<std::unique_ptr<Region>>& regions() const {
    return regions_;
  }
  Region& region(int i = 0) const { return *regions_[i]; }
  int region_count() const { return static_cast<int>(regions_.size()); }

  // Typed attributes. The errors carry this op's location and name, the
  // attribute, and what was found: INVALID_ARGUMENT when it is missing (for the
  // forms without a default) or of another kind.
  absl::StatusOr<int64_t> IntegerAttribute(absl::string_view name) const;
  absl::StatusOr<int64_t> IntegerAttributeOr(absl::string_view name,
                                             int64_t default_value) const;
  absl::StatusOr<std::vector<int64_t>> IntegersAttribute(
      absl::string_view name) const;
  absl::StatusOr<std::vector<int64_t>> IntegersAttributeOr(
      absl::string_view name, std::vector<int64_t> default_value) const;
  absl::StatusOr<bool> BoolAttributeOr(absl::string_view name,
                                       bool default_value) const;
  absl::StatusOr<std::string> EnumAttribute(absl::string_view name) const;

  // "m.mlir:12:8: stablehlo.add: message", INVALID_ARGUMENT.
  absl::Status Error(absl::string_view message) const;
  absl::Status Unimplemented(absl::string_view message) const;

 private:
  friend class OpBuilder;
  friend class Region;
  void AddResult(Type type);

  std::string name_;
  const OpDef* def_;
  Location location_;
  Region* parent_ = nullptr;
  std::vector<Value*> operands_;
  std::vector<std::unique_ptr<Value>> results_;
  AttributeMap attributes_;
  std::vector<std::unique_ptr<Region>> regions_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_OP_H_
