#include "runtime/ops/evaluation/compute_literal.h"

#include "runtime/types/convert.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {

ElementType ComputeElementType(ElementType type) {
  return DispatchElementType(type, []<typename T>(std::type_identity<T>) {
    return ElementTypeOf<ComputeType<T>>::value;
  });
}

Literal PackedLiteral(const LiteralView& operand, ElementType type,
                      absl::Span<const int64_t> permutation) {
  Literal converted;
  LiteralView source = operand;
  if (operand.shape().element_type() != type) {
    converted = Literal(Shape(type, operand.shape().dims()));
    ConvertElements(operand, converted.mutable_view());
    source = converted;
  }
  const Dims operand_strides = operand.shape().Strides();
  Dims dims, strides;
  for (int64_t dim : permutation) {
    dims.push_back(operand.shape().dim(dim));
    strides.push_back(operand_strides[dim]);
  }
  Literal packed(Shape(type, dims));
  StridedCopy(ByteSize(type), dims, {source.bytes(), strides},
              {packed.mutable_bytes(), packed.shape().Strides()});
  return packed;
}

void Unpack(const LiteralView& packed, absl::Span<const int64_t> permutation,
            const MutableLiteralView& result) {
  const ElementType type = result.shape().element_type();
  Literal converted;
  LiteralView source = packed;
  if (packed.shape().element_type() != type) {
    converted = Literal(Shape(type, packed.shape().dims()));
    ConvertElements(packed, converted.mutable_view());
    source = converted;
  }
  const Dims result_strides = result.shape().Strides();
  Dims strides;
  for (int64_t dim : permutation) strides.push_back(result_strides[dim]);
  StridedCopy(ByteSize(type), packed.shape().dims(),
              {source.bytes(), packed.shape().Strides()},
              {result.bytes(), strides});
}

}  // namespace lockstep::internal
