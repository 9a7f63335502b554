#include "runtime/collectives/tensor_collectives.h"

#include <optional>

#include "runtime/types/convert.h"
#include "runtime/types/strided_copy.h"

namespace lockstep {
namespace {

// A tensor cut in `count` equal chunks along `dim`, and the same chunks one
// after the other, each row-major.
struct Chunks {
  Dims dims;            // [chunk, index within the chunk..]
  Dims whole_strides;   // in the tensor
  Dims packed_strides;  // one after the other
  bool is_packed;       // the tensor has this layout already

  Chunks(const Shape& whole, int64_t dim, int64_t count) {
    whole_strides = whole.Strides();
    dims.assign(whole.dims().begin(), whole.dims().end());
    dims[dim] /= count;
    packed_strides = Shape(whole.element_type(), dims).Strides();
    const int64_t chunk_count =
        Shape(whole.element_type(), dims).element_count();
    whole_strides.insert(whole_strides.begin(), dims[dim] * whole_strides[dim]);
    packed_strides.insert(packed_strides.begin(), chunk_count);
    is_packed = count == 1;
    if (!is_packed) {
      is_packed = true;
      for (int64_t i = 0; i < dim; ++i) is_packed &= whole.dim(i) == 1;
    }
    dims.insert(dims.begin(), count);
  }
};

Shape FlatShape(const Shape& shape) {
  return Shape(shape.element_type(), {shape.element_count()});
}

// The chunks of `whole`, one after the other; `storage` holds them when they
// are not so in memory.
const std::byte* Pack(const LiteralView& whole, int64_t dim, int64_t count,
                      std::optional<Literal>& storage) {
  const Chunks chunks(whole.shape(), dim, count);
  if (chunks.is_packed) return whole.bytes();
  storage.emplace(FlatShape(whole.shape()));
  StridedCopy(ByteSize(whole.shape().element_type()), chunks.dims,
              {whole.bytes(), chunks.whole_strides},
              {storage->mutable_bytes(), chunks.packed_strides});
  return storage->bytes();
}

// Where to receive the chunks of `whole`, which Unpack puts in place.
std::byte* PackedTarget(const MutableLiteralView& whole, int64_t dim,
                        int64_t count, std::optional<Literal>& storage) {
  if (Chunks(whole.shape(), dim, count).is_packed) return whole.bytes();
  storage.emplace(FlatShape(whole.shape()));
  return storage->mutable_bytes();
}

void Unpack(const std::optional<Literal>& storage, int64_t dim, int64_t count,
            const MutableLiteralView& whole) {
  if (!storage.has_value()) return;
  const Chunks chunks(whole.shape(), dim, count);
  StridedCopy(ByteSize(whole.shape().element_type()), chunks.dims,
              {storage->bytes(), chunks.packed_strides},
              {whole.bytes(), chunks.whole_strides});
}

LiteralView Promoted(const LiteralView& operand, const Reduction& reduction,
                     std::optional<Literal>& storage) {
  if (operand.shape().element_type() == reduction.element_type()) {
    return operand;
  }
  storage.emplace(Shape(reduction.element_type(), operand.shape().dims()));
  ConvertElements(operand, storage->mutable_view());
  return *storage;
}

absl::Span<const std::byte> BytesOf(const std::byte* data, const Shape& shape) {
  return {data, static_cast<size_t>(shape.byte_size())};
}

absl::Span<std::byte> BytesOf(std::byte* data, const Shape& shape) {
  return {data, static_cast<size_t>(shape.byte_size())};
}

}  // namespace

absl::Status AllReduceTensor(Communicator& communicator,
                             const CollectiveCall& call,
                             const Reduction& reduction,
                             const LiteralView& operand,
                             const MutableLiteralView& result) {
  std::optional<Literal> storage;
  const LiteralView promoted = Promoted(operand, reduction, storage);
  return communicator.AllReduce(call, promoted.bytes(), result.bytes(),
                                result.shape().element_count(), reduction);
}

absl::Status ReduceScatterTensor(Communicator& communicator,
                                 const CollectiveCall& call,
                                 const Reduction& reduction, int64_t dim,
                                 const LiteralView& operand,
                                 const MutableLiteralView& result) {
  std::optional<Literal> promoted_storage, packed_storage;
  const LiteralView promoted = Promoted(operand, reduction, promoted_storage);
  const std::byte* packed =
      Pack(promoted, dim, communicator.key().size(), packed_storage);
  return communicator.ReduceScatter(call, packed, result.bytes(),
                                    result.shape().element_count(), reduction);
}

absl::Status AllGatherTensor(Communicator& communicator,
                             const CollectiveCall& call, int64_t dim,
                             const LiteralView& operand,
                             const MutableLiteralView& result) {
  const int64_t count = communicator.key().size();
  std::optional<Literal> storage;
  std::byte* target = PackedTarget(result, dim, count, storage);
  const absl::Status status = communicator.AllGather(
      call, operand.byte_span(), BytesOf(target, result.shape()));
  if (status.ok()) Unpack(storage, dim, count, result);
  return status;
}

absl::Status AllToAllTensor(Communicator& communicator,
                            const CollectiveCall& call, int64_t split_dim,
                            int64_t concat_dim, const LiteralView& operand,
                            const MutableLiteralView& result) {
  const int64_t count = communicator.key().size();
  std::optional<Literal> sent, received;
  const std::byte* source = Pack(operand, split_dim, count, sent);
  std::byte* target = PackedTarget(result, concat_dim, count, received);
  const absl::Status status = communicator.AllToAll(
      call, BytesOf(source, operand.shape()), BytesOf(target, result.shape()));
  if (status.ok()) Unpack(received, concat_dim, count, result);
  return status;
}

}  // namespace lockstep
