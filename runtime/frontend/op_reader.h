#ifndef LOCKSTEP_RUNTIME_FRONTEND_OP_READER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_OP_READER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/frontend/cursor.h"
#include "runtime/frontend/op_parser.h"
#include "runtime/ir/assembly.h"

namespace lockstep::internal {

// What an op's own form reads from: one op of a text.
class OpReader : public AssemblyReader {
 public:
  // The op's name stands at `location`.
  OpReader(Cursor& cursor, OpParser& parser, absl::string_view op_name,
           Location location)
      : cursor_(cursor),
        parser_(parser),
        op_name_(op_name),
        location_(std::move(location)) {}

  bool Peek(absl::string_view token) const override;
  bool TryConsume(absl::string_view token) override;
  absl::Status Expect(absl::string_view token) override;
  bool PeekOperand() const override;
  absl::StatusOr<Value*> ParseOperand() override;
  absl::StatusOr<std::string> ParseValueName() override;
  absl::StatusOr<std::string> ParseKeyword() override;
  absl::StatusOr<std::string> ParseString() override;
  bool PeekSymbol() const override;
  absl::StatusOr<std::string> ParseSymbol() override;
  absl::StatusOr<int64_t> ParseInteger() override;
  absl::StatusOr<std::vector<int64_t>> ParseIntegerList() override;
  absl::StatusOr<Type> ParseType() override;
  absl::Status ParseTypeOf(const Value* operand) override;
  absl::StatusOr<std::vector<Type>> ParseFunctionTypeOf(
      absl::Span<Value* const> operands) override;
  absl::StatusOr<Attribute> ParseAttribute() override;
  absl::StatusOr<std::string> ParseBrackets() override;
  absl::Status Locate(const absl::Status& status) const override;
  absl::Status ParseOptionalAttributes(AttributeMap& attributes) override;
  absl::StatusOr<std::unique_ptr<Region>> ParseRegion(
      absl::Span<const std::pair<std::string, Type>> arguments) override;
  absl::Status Error(absl::string_view message) const override;

 private:
  absl::Status WrongType(const Value* operand, const Type& found) const;

  Cursor& cursor_;
  OpParser& parser_;
  const std::string op_name_;
  const Location location_;
  std::vector<const Value*> operands_;  // that were read
  const char* bracket_ = nullptr;       // where ParseBrackets began
  // The type and the location of an argument of a region come next.
  bool is_in_argument_ = false;
  // What ParseValueName returned, as tokens: scopes keep views into the text.
  absl::flat_hash_map<std::string, Token> value_names_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_OP_READER_H_
