#include "runtime/collectives/nccl/nccl_reduction.h"

#include "runtime/types/element_type.h"

namespace lockstep::internal {
namespace {

using cuda::ncclDataType_t;
using cuda::ncclRedOp_t;

std::optional<ncclRedOp_t> OpOf(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::kAdd:
      return cuda::ncclSum;
    case ReductionKind::kMultiply:
      return cuda::ncclProd;
    case ReductionKind::kMaximum:
      return cuda::ncclMax;
    case ReductionKind::kMinimum:
      return cuda::ncclMin;
    default:
      return std::nullopt;
  }
}

std::optional<ncclDataType_t> IntegerOf(ElementType type) {
  switch (type) {
    case ElementType::kS8:
      return cuda::ncclInt8;
    case ElementType::kU8:
      return cuda::ncclUint8;
    case ElementType::kS32:
      return cuda::ncclInt32;
    case ElementType::kU32:
      return cuda::ncclUint32;
    case ElementType::kS64:
      return cuda::ncclInt64;
    case ElementType::kU64:
      return cuda::ncclUint64;
    default:
      return std::nullopt;
  }
}

std::optional<ncclDataType_t> FloatOf(ElementType type) {
  switch (type) {
    case ElementType::kF16:
      return cuda::ncclFloat16;
    case ElementType::kBF16:
      return cuda::ncclBfloat16;
    case ElementType::kF32:
    case ElementType::kC64:
      return cuda::ncclFloat32;
    case ElementType::kF64:
    case ElementType::kC128:
      return cuda::ncclFloat64;
    default:
      return std::nullopt;
  }
}

// Of bytes that are 0 or 1.
std::optional<NcclReduction> ReductionOfBools(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::kAdd:
    case ReductionKind::kMaximum:
    case ReductionKind::kOr:
      return NcclReduction{cuda::ncclUint8, cuda::ncclMax};
    case ReductionKind::kMultiply:
    case ReductionKind::kMinimum:
    case ReductionKind::kAnd:
      return NcclReduction{cuda::ncclUint8, cuda::ncclMin};
    case ReductionKind::kXor:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<NcclReduction> NcclReductionOf(const Reduction& reduction) {
  if (!reduction.kind().has_value()) return std::nullopt;
  const ReductionKind kind = *reduction.kind();
  const ElementType type = reduction.element_type();
  if (type == ElementType::kPred) return ReductionOfBools(kind);
  const std::optional<ncclRedOp_t> op = OpOf(kind);
  if (!op.has_value()) return std::nullopt;
  if (const auto integer = IntegerOf(type)) {
    return NcclReduction{*integer, *op};
  }
  const std::optional<ncclDataType_t> number = FloatOf(type);
  if (!number.has_value()) return std::nullopt;
  const bool is_complex =
      type == ElementType::kC64 || type == ElementType::kC128;
  if (kind == ReductionKind::kAdd) {
    return NcclReduction{*number, *op, is_complex ? 2 : 1};
  }
  if (kind == ReductionKind::kMultiply && !is_complex) {
    return NcclReduction{*number, *op};
  }
  return std::nullopt;
}

}  // namespace lockstep::internal
