#include "runtime/backends/cpu/thunks/fft_thunk.h"

#include <optional>
#include <string>

#include "runtime/backends/cpu/thunks/scratch_tensor.h"
#include "runtime/base/status.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kMaxLength = int64_t{1} << 26;
// Of lengths that need a convolution.
constexpr int64_t kMaxConvolvedLength = int64_t{1} << 22;

std::optional<FourierKind> KindOf(const Op& op) {
  const absl::StatusOr<std::string> name = op.EnumAttribute("fft_type");
  if (!name.ok()) return std::nullopt;
  if (*name == "FFT") return FourierKind::kForward;
  if (*name == "IFFT") return FourierKind::kInverse;
  if (*name == "RFFT") return FourierKind::kRealForward;
  if (*name == "IRFFT") return FourierKind::kRealInverse;
  return std::nullopt;
}

// R is the type of the real parts.
template <typename R>
class TypedFftThunk : public FftThunk {
 public:
  TypedFftThunk(const KernelRequest& request, FourierKind kind,
                const std::vector<int64_t>& lengths)
      : FftThunk(request),
        joins_last_(kind == FourierKind::kRealInverse && lengths.size() > 1) {
    // The complex tensor of which the outer dimensions are transformed.
    const Shape& shape =
        kind == FourierKind::kRealInverse ? operand_.shape : result_.shape;
    const int64_t rank = shape.rank();
    const int64_t first = rank - static_cast<int64_t>(lengths.size());
    int64_t rows = 1;
    for (int64_t dim = 0; dim < rank - 1; ++dim) rows *= shape.dim(dim);
    const auto add_last = [&] {
      stages_.push_back(std::make_unique<FourierStage<R>>(kind, lengths.back(),
                                                          rows, /*stride=*/1));
    };
    if (kind != FourierKind::kRealInverse) add_last();
    const FourierKind outer =
        kind == FourierKind::kForward || kind == FourierKind::kRealForward
            ? FourierKind::kForward
            : FourierKind::kInverse;
    const Dims strides = shape.Strides();
    for (int64_t dim = first; dim < rank - 1; ++dim) {
      stages_.push_back(std::make_unique<FourierStage<R>>(
          outer, shape.dim(dim), shape.element_count() / shape.dim(dim),
          strides[dim]));
    }
    if (kind == FourierKind::kRealInverse) add_last();
  }

  absl::Status ExecuteOnHost(HostContext& context) const override {
    const auto* from =
        reinterpret_cast<const R*>(context.buffers.Address(operand_.slice));
    auto* result = reinterpret_cast<R*>(context.buffers.Address(result_.slice));
    ScratchTensor outer;  // transformed in all dims but the last
    if (joins_last_) {
      ASSIGN_OR_RETURN(outer, ScratchTensor::Allocate(operand_.shape));
    }
    for (const auto& stage : stages_) {
      const bool is_last = stage == stages_.back();
      R* to = joins_last_ && !is_last ? reinterpret_cast<R*>(outer.bytes())
                                      : result;
      RETURN_IF_ERROR(stage->Run(from, to, context.intra_op_threads));
      from = to;
    }
    return absl::OkStatus();
  }

 private:
  // The last stage writes tensors of another shape than those before.
  const bool joins_last_;
  std::vector<std::unique_ptr<FourierStage<R>>> stages_;
};

}  // namespace

std::unique_ptr<HostThunk> FftThunk::Create(const KernelRequest& request) {
  const std::optional<FourierKind> kind = KindOf(*request.op);
  const auto lengths = request.op->IntegersAttribute("fft_length");
  if (!kind.has_value() || !lengths.ok() || lengths->empty() ||
      request.operands[0].shape.element_count() == 0 ||
      request.results[0].shape.element_count() == 0) {
    return nullptr;
  }
  for (const int64_t length : *lengths) {
    const bool is_smooth = LaneTransform<float>::Supports(length);
    if (length > (is_smooth ? kMaxLength : kMaxConvolvedLength)) return nullptr;
  }
  if (RealType(request.results[0].shape.element_type()) == ElementType::kF32) {
    return std::make_unique<TypedFftThunk<float>>(request, *kind, *lengths);
  }
  return std::make_unique<TypedFftThunk<double>>(request, *kind, *lengths);
}

}  // namespace lockstep::internal
