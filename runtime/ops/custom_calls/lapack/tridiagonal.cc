#include <algorithm>

#include "runtime/ops/custom_calls/lapack/lapack_target.h"

namespace lockstep::internal {
namespace {

// sytrd, hetrd: A = Q T Q^H with tridiagonal T, of Hermitian matrices of which
// one triangle is read; Q as Householder vectors there and their factors.
//   (A) -> (vectors, diagonal, other diagonal, taus, info); uplo: 'L', 'U'
class Sytrd {
 public:
  static constexpr int kMatrix = 0;
  struct Options {
    char uplo;
  };

  static absl::StatusOr<Options> Read(const LapackCall& call) {
    if (call.has_scalars()) {
      ASSIGN_OR_RETURN(const int64_t lower, call.Scalar(1));
      return Options{lower != 0 ? 'L' : 'U'};
    }
    ASSIGN_OR_RETURN(const char uplo, call.config().Letter("uplo", "LU"));
    return Options{uplo};
  }

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    RETURN_IF_ERROR(call.CheckSquare());
    const int64_t n = call.rows();
    const int64_t others = std::max<int64_t>(n - 1, 0);
    const LapackTensor matrix = LapackTensor::Matrix(call.type(), n, n);
    return LapackForm{
        {matrix},
        {LapackTensor(matrix).InPlaceOf(0),
         LapackTensor::Vector(call.real_type(), n),
         LapackTensor::Vector(call.real_type(), others),
         LapackTensor::Vector(call.type(), others), LapackTensor::Info()}};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    using R = LapackReal<T>;
    const auto n = static_cast<LapackInt>(form.operands[0].rows);
    const LapackInt stride = member.operand_stride(0);
    return RunWithWork<T>(member, [&](T* work, LapackInt size) {
      lapack.sytrd(&options.uplo, &n, member.operand<T>(0), &stride,
                   member.result<R>(1), member.result<R>(2),
                   member.result<T>(3), work, &size,
                   member.result<LapackInt>(4), 1);
    });
  }
};

// gtsv: the solution of tridiagonal systems, by elimination with pivots. The
// diagonals below and above have as many elements as the main one: the first,
// and the last, means nothing. info i: pivot i is zero, and there is no
// solution.
//   (below, main, above, B) -> (rest of the three, X, info)
class Gtsv : public NoLapackOptions {
 public:
  static constexpr int kMatrix = 3;

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    const LapackTensor diagonal =
        LapackTensor::Vector(call.type(), call.rows());
    const LapackTensor matrix =
        LapackTensor::Matrix(call.type(), call.rows(), call.columns());
    LapackForm form;
    form.operands = {diagonal, diagonal, diagonal, matrix};
    for (int i = 0; i < 4; ++i) {
      form.results.push_back(LapackTensor(form.operands[i]).InPlaceOf(i));
    }
    form.results.push_back(LapackTensor::Info());
    return form;
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options&,
                          LapackMember& member) {
    const auto n = static_cast<LapackInt>(form.operands[3].rows);
    const auto columns = static_cast<LapackInt>(form.operands[3].columns);
    const LapackInt stride = member.operand_stride(3);
    lapack.gtsv(&n, &columns, member.operand<T>(0) + 1, member.operand<T>(1),
                member.operand<T>(2), member.operand<T>(3), &stride,
                member.result<LapackInt>(4));
    return absl::OkStatus();
  }
};

void AddTridiagonal(CustomCallTargets& targets) {
  const LapackSlots sytrd = {.operands = {0}, .results = {0, 1, 2, 3, 4}};
  // n, lower, stride, batch, size of the work space
  const LapackSlots old_sytrd = {.operands = {5},
                                 .results = {0, 1, 2, 3, 4},
                                 .scalar_count = 5,
                                 .has_work_results = true};
  AddLapackFamily<Sytrd>(targets, {.real_name = "sytrd",
                                   .complex_name = "hetrd",
                                   .real = {sytrd},
                                   .complex = {sytrd},
                                   .old_real = {old_sytrd},
                                   .old_complex = {old_sytrd}});
  const LapackSlots gtsv = {.operands = {0, 1, 2, 3},
                            .results = {0, 1, 2, 3, 4}};
  AddLapackFamily<Gtsv>(targets, {.real_name = "gtsv",
                                  .complex_name = "gtsv",
                                  .real = {gtsv},
                                  .complex = {gtsv}});
}

REGISTER_CUSTOM_CALL_TARGETS(AddTridiagonal);

}  // namespace
}  // namespace lockstep::internal
