#ifndef LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_NUMBER_READER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_NUMBER_READER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/frontend/bytecode/attribute_table.h"

namespace lockstep::internal {

// A number and its type, which stands before it: Integer, or Bool for i1.
// UNIMPLEMENTED for more than 64 bits.
absl::StatusOr<BytecodeAttribute> ReadTypedInteger(AttributeTable& table,
                                                   ByteReader& reader);
absl::StatusOr<BytecodeAttribute> ReadTypedFloat(AttributeTable& table,
                                                 ByteReader& reader);
// The bits of an f64.
absl::StatusOr<double> ReadDouble(ByteReader& reader, absl::string_view what);

// Above so many elements, a tensor of one value for all is no list of integers,
// one for each dimension: as a list it would take more memory than it says.
inline constexpr int64_t kMaxListedSplat = 256;

// The elements of a tensor, whose type stands before them: all of them, or one
// for all.
absl::StatusOr<BytecodeAttribute> ReadTypedElements(AttributeTable& table,
                                                    ByteReader& reader);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_BYTECODE_NUMBER_READER_H_
