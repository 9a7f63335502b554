#include <utility>

#include "runtime/ops/custom_calls/lapack/lapack_target.h"

namespace lockstep::internal {
namespace {

// trsm: op(A) X = alpha B, or X op(A) = alpha B, with triangular A; the other
// triangle is not read, nor the diagonal where it is one.
//   (A, B) or (A, B, alpha) -> (X); side: 'L', 'R'; uplo: 'L', 'U';
//   trans_x: 'N', 'T', 'C' for the adjoint; diag: 'N', or 'U' for ones
class Trsm {
 public:
  static constexpr int kMatrix = 1;
  struct Options {
    char side;
    char uplo;
    char trans;
    char diag;
    bool has_alpha;
  };

  static absl::StatusOr<Options> Read(const LapackCall& call) {
    if (call.has_scalars()) return ReadScalars(call);
    const CallConfig config = call.config();
    ASSIGN_OR_RETURN(const char side, config.Letter("side", "LR"));
    ASSIGN_OR_RETURN(const char uplo, config.Letter("uplo", "LU"));
    ASSIGN_OR_RETURN(const char trans, config.Letter("trans_x", "NTC"));
    ASSIGN_OR_RETURN(const char diag, config.Letter("diag", "NU"));
    return Options{side, uplo, trans, diag, call.has_operand(2)};
  }

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options& options) {
    const int64_t order = options.side == 'L' ? call.rows() : call.columns();
    const LapackTensor matrix =
        LapackTensor::Matrix(call.type(), call.rows(), call.columns());
    return LapackForm{{LapackTensor::Matrix(call.type(), order, order), matrix,
                       LapackTensor::Shared(call.type())},
                      {LapackTensor(matrix).InPlaceOf(1)}};
  }

  // Columns, or rows, of X do not depend on each other.
  static std::pair<int, int> FreeDim(const Options& options) {
    return {1, options.side == 'L' ? 1 : 0};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    const auto m = static_cast<LapackInt>(form.operands[1].rows);
    const auto n = static_cast<LapackInt>(form.operands[1].columns);
    const LapackInt stride = member.operand_stride(0);
    const LapackInt solution_stride = member.operand_stride(1);
    const T alpha = options.has_alpha ? *member.operand<T>(2) : T{1};
    lapack.trsm(&options.side, &options.uplo, &options.trans, &options.diag, &m,
                &n, &alpha, member.operand<T>(0), &stride, member.operand<T>(1),
                &solution_stride, 1, 1, 1, 1);
    return absl::OkStatus();
  }

 private:
  static absl::StatusOr<Options> ReadScalars(const LapackCall& call) {
    constexpr char kTrans[] = "NTC";
    ASSIGN_OR_RETURN(const int64_t left, call.Scalar(0));
    ASSIGN_OR_RETURN(const int64_t lower, call.Scalar(1));
    ASSIGN_OR_RETURN(const int64_t trans, call.Scalar(2));
    ASSIGN_OR_RETURN(const int64_t has_ones, call.Scalar(3));
    if (trans < 0 || trans > 2) {
      return call.op().Error(
          absl::StrCat("operand 2: expected 0, 1 or 2, found ", trans));
    }
    return Options{left != 0 ? 'L' : 'R', lower != 0 ? 'L' : 'U', kTrans[trans],
                   has_ones != 0 ? 'U' : 'N', true};
  }
};

void AddTriangular(CustomCallTargets& targets) {
  const LapackSlots slots = {.operands = {0, 1, LapackSlots::kAbsent},
                             .results = {0}};
  const LapackSlots with_alpha = {.operands = {0, 1, 2}, .results = {0}};
  // left, lower, trans, diag, m, n, batch
  const LapackSlots old = {
      .operands = {8, 9, 7}, .results = {0}, .scalar_count = 7};
  AddLapackFamily<Trsm>(targets, {.real_name = "trsm",
                                  .complex_name = "trsm",
                                  .real = {slots, with_alpha},
                                  .complex = {slots, with_alpha},
                                  .old_real = {old},
                                  .old_complex = {old},
                                  .old_prefix = "blas_"});
}

REGISTER_CUSTOM_CALL_TARGETS(AddTriangular);

}  // namespace
}  // namespace lockstep::internal
