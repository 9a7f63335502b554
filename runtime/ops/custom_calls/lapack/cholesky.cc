#include "runtime/ops/custom_calls/lapack/lapack_target.h"

namespace lockstep::internal {
namespace {

// potrf: A = L L^H, or U^H U, of Hermitian positive definite matrices; the
// other triangle stays. info i: the leading minor of order i is not positive.
//   (A) -> (L or U, info); uplo: 'L', 'U'
class Potrf {
 public:
  static constexpr int kMatrix = 0;
  struct Options {
    char uplo;
  };

  static absl::StatusOr<Options> Read(const LapackCall& call) {
    if (call.has_scalars()) {
      ASSIGN_OR_RETURN(const int64_t lower, call.Scalar(0));
      return Options{lower != 0 ? 'L' : 'U'};
    }
    ASSIGN_OR_RETURN(const char uplo, call.config().Letter("uplo", "LU"));
    return Options{uplo};
  }

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    RETURN_IF_ERROR(call.CheckSquare());
    const LapackTensor matrix =
        LapackTensor::Matrix(call.type(), call.rows(), call.rows());
    return LapackForm{
        {matrix}, {LapackTensor(matrix).InPlaceOf(0), LapackTensor::Info()}};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    const auto n = static_cast<LapackInt>(form.operands[0].rows);
    const LapackInt stride = member.operand_stride(0);
    lapack.potrf(&options.uplo, &n, member.operand<T>(0), &stride,
                 member.result<LapackInt>(1), 1);
    return absl::OkStatus();
  }
};

void AddCholesky(CustomCallTargets& targets) {
  const LapackSlots slots = {.operands = {0}, .results = {0, 1}};
  // lower, batch, n
  const LapackSlots old = {
      .operands = {3}, .results = {0, 1}, .scalar_count = 3};
  AddLapackFamily<Potrf>(targets, {.real_name = "potrf",
                                   .complex_name = "potrf",
                                   .real = {slots},
                                   .complex = {slots},
                                   .old_real = {old},
                                   .old_complex = {old}});
}

REGISTER_CUSTOM_CALL_TARGETS(AddCholesky);

}  // namespace
}  // namespace lockstep::internal
