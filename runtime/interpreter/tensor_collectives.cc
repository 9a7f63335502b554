#include "runtime/interpreter/tensor_collectives.h"

#include <cstring>
#include <memory>
#include <optional>

#include "absl/algorithm/container.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/collectives/call_mismatch.h"
#include "runtime/collectives/tensor_parts.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

enum class Direction { kTensorToParts, kPartsToTensor };

void Rearrange(const TensorParts& cut, Direction direction,
               const std::byte* source, std::byte* target) {
  if (cut.byte_size() == 0) return;
  const size_t block = static_cast<size_t>(cut.block);
  for (int64_t part = 0; part < cut.parts; ++part) {
    for (int64_t i = 0; i < cut.outer; ++i) {
      const int64_t in_tensor = (i * cut.parts + part) * cut.block;
      const int64_t in_parts = (part * cut.outer + i) * cut.block;
      if (direction == Direction::kTensorToParts) {
        std::memcpy(target + in_parts, source + in_tensor, block);
      } else {
        std::memcpy(target + in_tensor, source + in_parts, block);
      }
    }
  }
}

// The parts of a tensor one after the other; a copy only where it has to be.
class PackedParts {
 public:
  PackedParts(const TensorParts& cut, const std::byte* tensor) : data_(tensor) {
    if (cut.is_in_order()) return;
    storage_ = std::make_unique_for_overwrite<std::byte[]>(cut.byte_size());
    Rearrange(cut, Direction::kTensorToParts, tensor, storage_.get());
    data_ = storage_.get();
  }
  const std::byte* data() const { return data_; }

 private:
  std::unique_ptr<std::byte[]> storage_;
  const std::byte* data_;
};

// Where parts arrive that make up a tensor.
class ArrivingParts {
 public:
  ArrivingParts(const TensorParts& cut, std::byte* tensor)
      : cut_(cut), tensor_(tensor) {
    if (!cut.is_in_order()) {
      storage_ = std::make_unique_for_overwrite<std::byte[]>(cut.byte_size());
    }
  }
  absl::Span<std::byte> span() {
    return {storage_ ? storage_.get() : tensor_,
            static_cast<size_t>(cut_.byte_size())};
  }
  void Join() {
    if (!storage_) return;
    Rearrange(cut_, Direction::kPartsToTensor, storage_.get(), tensor_);
  }

 private:
  const TensorParts cut_;
  std::byte* const tensor_;
  std::unique_ptr<std::byte[]> storage_;
};

// The operand in the element type of the reduction; `storage` holds it when
// that is another one.
LiteralView Promoted(const LiteralView& operand, const Reduction& reduction,
                     std::optional<Literal>& storage) {
  const ElementType type = reduction.element_type();
  if (operand.shape().element_type() == type) return operand;
  storage.emplace(Shape(type, operand.shape().dims()));
  ConvertElements(operand, storage->mutable_view());
  return *storage;
}

}  // namespace

absl::Status AllReduceTensor(HostCommunicator& communicator,
                             const CollectiveCall& call,
                             const Reduction& reduction,
                             const LiteralView& operand,
                             const MutableLiteralView& result) {
  std::optional<Literal> storage;
  const LiteralView promoted = Promoted(operand, reduction, storage);
  LOCKSTEP_CHECK(promoted.shape() == result.shape());
  return communicator.AllReduceOnHost(call, promoted.bytes(), result.bytes(),
                                      promoted.shape().element_count(),
                                      reduction);
}

absl::Status AllGatherTensor(HostCommunicator& communicator,
                             const CollectiveCall& call, int64_t dim,
                             const LiteralView& operand,
                             const MutableLiteralView& result) {
  const TensorParts cut =
      PartsOfJoined(operand.shape(), dim, communicator.key().size());
  LOCKSTEP_CHECK(cut.byte_size() == result.shape().byte_size());
  ArrivingParts arriving(cut, result.bytes());
  RETURN_IF_ERROR(
      communicator.AllGatherOnHost(call, operand.byte_span(), arriving.span()));
  arriving.Join();
  return absl::OkStatus();
}

absl::Status ReduceScatterTensor(HostCommunicator& communicator,
                                 const CollectiveCall& call,
                                 const Reduction& reduction, int64_t dim,
                                 const LiteralView& operand,
                                 const MutableLiteralView& result) {
  const int64_t parts = communicator.key().size();
  std::optional<Literal> storage;
  const LiteralView promoted = Promoted(operand, reduction, storage);
  LOCKSTEP_CHECK(promoted.shape().byte_size() ==
                 result.shape().byte_size() * parts);
  const PackedParts packed(PartsOf(promoted.shape(), dim, parts),
                           promoted.bytes());
  return communicator.ReduceScatterOnHost(call, packed.data(), result.bytes(),
                                          result.shape().element_count(),
                                          reduction);
}

absl::Status AllToAllTensor(HostCommunicator& communicator,
                            const CollectiveCall& call, int64_t split_dim,
                            int64_t concat_dim, const LiteralView& operand,
                            const MutableLiteralView& result) {
  const int64_t parts = communicator.key().size();
  LOCKSTEP_CHECK(operand.shape().byte_size() == result.shape().byte_size());
  const PackedParts packed(PartsOf(operand.shape(), split_dim, parts),
                           operand.bytes());
  ArrivingParts arriving(PartsOf(result.shape(), concat_dim, parts),
                         result.bytes());
  RETURN_IF_ERROR(communicator.AllToAllOnHost(
      call, {packed.data(), static_cast<size_t>(operand.shape().byte_size())},
      arriving.span()));
  arriving.Join();
  return absl::OkStatus();
}

absl::Status RaggedAllToAllTensor(HostCommunicator& communicator,
                                  const CollectiveCall& call,
                                  const LiteralView& table,
                                  const LiteralView& operand,
                                  const LiteralView& output,
                                  const MutableLiteralView& result) {
  const int64_t rows = output.shape().dim(0);
  const auto slices =
      RaggedSlices::Create(table.data<int64_t>(), communicator.key().size(),
                           {operand.shape().dim(0), rows,
                            rows == 0 ? 0 : output.shape().byte_size() / rows});
  if (!slices.ok()) return Annotate(slices.status(), Describe(call));
  absl::c_copy(output.byte_span(), result.bytes());
  return communicator.RaggedAllToAllOnHost(call, **slices, operand.byte_span(),
                                           result.byte_span());
}

}  // namespace lockstep::internal
