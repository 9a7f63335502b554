#ifndef LOCKSTEP_RUNTIME_IR_ASSEMBLY_H_
#define LOCKSTEP_RUNTIME_IR_ASSEMBLY_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// What an op's assembly form reads from, after the op's name. The frontend
// implements it. Every error carries the place, what was expected and what was
// found.
class AssemblyReader {
 public:
  virtual ~AssemblyReader() = default;

  // Punctuation ("(", "->", ":") or a bare word ("dims", "init").
  virtual bool Peek(absl::string_view token) const = 0;
  virtual bool TryConsume(absl::string_view token) = 0;
  virtual absl::Status Expect(absl::string_view token) = 0;

  virtual bool PeekOperand() const = 0;  // a %name comes
  virtual absl::StatusOr<Value*> ParseOperand() = 0;
  // A %name that a region will define; keeps its "%".
  virtual absl::StatusOr<std::string> ParseValueName() = 0;
  virtual absl::StatusOr<std::string> ParseKeyword() = 0;
  virtual absl::StatusOr<std::string> ParseString() = 0;
  virtual bool PeekSymbol() const = 0;
  virtual absl::StatusOr<std::string> ParseSymbol() = 0;  // @f, @"f"
  virtual absl::StatusOr<int64_t> ParseInteger() = 0;
  // "[1, 2]"; a list of lists "[[1, 2], [3, 4]]" is read by the caller.
  virtual absl::StatusOr<std::vector<int64_t>> ParseIntegerList() = 0;
  virtual absl::StatusOr<Type> ParseType() = 0;
  // A type that must be the one of `operand`; the error names both.
  virtual absl::Status ParseTypeOf(const Value* operand) = 0;
  // "(T, T) -> U" or "(T, T) -> (U, V)". The inputs must be the types of
  // `operands`. Returns the results.
  virtual absl::StatusOr<std::vector<Type>> ParseFunctionTypeOf(
      absl::Span<Value* const> operands) = 0;
  virtual absl::StatusOr<Attribute> ParseAttribute() = 0;
  // "<..>", "[..]" or "{..}" as it stands, for texts with a grammar of their
  // own.
  virtual absl::StatusOr<std::string> ParseBrackets() = 0;
  // An error that the text of the last ParseBrackets has, with its place.
  virtual absl::Status Locate(const absl::Status& status) const = 0;
  // "{a = 1, b}" if it comes; merges into `attributes`.
  virtual absl::Status ParseOptionalAttributes(AttributeMap& attributes) = 0;
  // "{ ops }" with the given arguments in scope.
  virtual absl::StatusOr<std::unique_ptr<Region>> ParseRegion(
      absl::Span<const std::pair<std::string, Type>> arguments) = 0;

  // INVALID_ARGUMENT at the present place.
  virtual absl::Status Error(absl::string_view message) const = 0;
};

// What an op's assembly form writes to, after the op's name. The printer
// implements it. Text is written as it is: begin with a space.
class AssemblyWriter {
 public:
  virtual ~AssemblyWriter() = default;

  virtual void Write(absl::string_view text) = 0;
  virtual void WriteOperand(const Value* value) = 0;
  virtual void WriteOperands(absl::Span<Value* const> values) = 0;  // "%a, %b"
  virtual void WriteType(const Type& type) = 0;
  // "(T, T) -> U" from the types of the op's operands and results.
  virtual void WriteFunctionType(const Op& op) = 0;
  virtual void WriteAttribute(const Attribute& attribute) = 0;
  // " {a = 1}" with the attributes that are not in `except`; nothing if none.
  virtual void WriteAttributes(const AttributeMap& attributes,
                               absl::Span<const absl::string_view> except) = 0;
  // "{ ops }", without a list of arguments. The arguments of regions of one op
  // that have the same place have the same name.
  virtual void WriteRegion(const Region& region) = 0;
};

// The pretty form of an op: what stands between its name and the end.
// Operands, result types, attributes and regions are filled in by `parse`.
struct AssemblyForm {
  std::function<absl::Status(AssemblyReader&, OpState&)> parse;
  std::function<void(const Op&, AssemblyWriter&)> print;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_ASSEMBLY_H_
