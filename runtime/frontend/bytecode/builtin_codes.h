#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BUILTIN_CODES_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BUILTIN_CODES_H_

#include <cstdint>

namespace lockstep::internal {

// What the builtin dialect of MLIR calls its attributes in bytecode.
enum class BuiltinAttributeCode : uint64_t {
  kArray = 0,
  kDictionary = 1,
  kString = 2,
  kTypedString = 3,
  kFlatSymbol = 4,
  kSymbol = 5,
  kType = 6,
  kUnit = 7,
  kInteger = 8,
  kFloat = 9,
  kCallSite = 10,
  kFileLineColumn = 11,
  kFused = 12,
  kFusedWithMetadata = 13,
  kNamedLocation = 14,
  kUnknownLocation = 15,
  kDenseArray = 17,
  kDenseElements = 18,
  kFileRange = 22,
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_BUILTIN_CODES_H_
