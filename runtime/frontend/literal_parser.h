#ifndef LOCKSTEP_RUNTIME_FRONTEND_LITERAL_PARSER_H_
#define LOCKSTEP_RUNTIME_FRONTEND_LITERAL_PARSER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/frontend/cursor.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// "dense<..> : tensor<..>"; the cursor stands at "dense". Every form of
// StableHLO's constants: one value for all, nested lists, nothing, a blob of
// hex digits. The values must fill the type.
absl::StatusOr<Attribute> ParseDense(Cursor& cursor);

// "dense_resource<key> : tensor<..>".
absl::StatusOr<Attribute> ParseDenseResource(Cursor& cursor);

// The elements whose raw little-endian bytes are `hex` ("0x" and digits). A
// blob of one element stands for all; i1 may be packed to bits. Without a
// place in the message.
absl::StatusOr<Attribute::Elements> ElementsFromHex(absl::string_view hex,
                                                    const Shape& shape,
                                                    size_t skip_bytes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_LITERAL_PARSER_H_
