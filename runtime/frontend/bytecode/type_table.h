#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_TYPE_TABLE_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_TYPE_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/frontend/bytecode/container.h"
#include "runtime/frontend/bytecode/expansion_budget.h"
#include "runtime/ir/type.h"

namespace lockstep::internal {

// Any type of a file.
struct BytecodeType {
  // As text has it: "tensor<2xf32>", "i32", "(tensor<f32>) -> tensor<f32>".
  std::string text;
  // A tensor, a token or a tuple that a value may have.
  std::optional<Type> value;
  // Of a number: the type of the elements of a tensor.
  std::optional<ElementType> element;
  // Of a function: places in the table.
  struct Function {
    std::vector<size_t> inputs;
    std::vector<size_t> results;
  };
  std::optional<Function> function;
  // What is unsupported about a type that has no value.
  std::string unsupported;
  // How often memory holds a type for one value.
  uint64_t nodes = 1;
  // "index", or a tensor of it: elements are read as i64.
  std::optional<Shape> index_shape;
};

// The types of a file, read once each when they are asked for. Used by one
// thread; outlived by the container.
class TypeTable {
 public:
  TypeTable(const BytecodeContainer& container, ExpansionBudget& budget)
      : container_(container),
        budget_(budget),
        types_(container.types.size()) {}

  // The type that `reader` names by its place in the table. INVALID_ARGUMENT
  // for what is no type or contains itself. The pointer stays valid.
  absl::StatusOr<const BytecodeType*> Read(ByteReader& reader);
  // By its place, which is one.
  absl::StatusOr<const BytecodeType*> At(size_t index);
  // Read, for a type that a value may have: UNIMPLEMENTED for others.
  absl::StatusOr<Type> ReadValueType(ByteReader& reader);
  absl::StatusOr<Type> ValueTypeAt(const ByteReader& place, size_t index);

 private:
  absl::StatusOr<BytecodeType> Decode(const BytecodeContainer::Entry& entry);
  absl::StatusOr<BytecodeType> DecodeVhlo(ByteReader& reader);
  absl::StatusOr<BytecodeType> DecodeBuiltin(ByteReader& reader);
  absl::StatusOr<BytecodeType> DecodeTensor(ByteReader& reader);
  absl::StatusOr<BytecodeType> DecodeTuple(ByteReader& reader);
  absl::StatusOr<BytecodeType> DecodeFunction(ByteReader& reader);
  absl::StatusOr<BytecodeType> DecodeComplex(ByteReader& reader);
  absl::StatusOr<std::vector<size_t>> ReadList(ByteReader& reader);

  const BytecodeContainer& container_;
  ExpansionBudget& budget_;
  // Pointers to them are given out.
  std::vector<std::unique_ptr<const BytecodeType>> types_;
  int depth_ = 0;
};

// What a type counts for in the budget, times its nodes.
inline constexpr uint64_t kBytesOfTypeNode = 128;

// Deeper nesting of types, attributes and regions is refused, so that
// recursion over them is safe.
inline constexpr int kMaxBytecodeNesting = 256;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_TYPE_TABLE_H_
