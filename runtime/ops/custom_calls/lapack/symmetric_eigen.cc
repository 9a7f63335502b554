#include <algorithm>

#include "runtime/ops/custom_calls/lapack/lapack_target.h"

namespace lockstep::internal {
namespace {

// Of a matrix of order `n`, column by column.
template <typename T>
bool IsTriangleFinite(const T* a, int64_t n, bool is_lower) {
  for (int64_t j = 0; j < n; ++j) {
    const int64_t first = is_lower ? j : 0;
    const int64_t last = is_lower ? n : j + 1;
    if (!AreFinite(a + j * n + first, last - first)) return false;
  }
  return true;
}

// syevd, heevd: A V = V W of Hermitian matrices, of which one triangle is read;
// eigenvalues in ascending order. info i: i numbers did not converge;
// or kLapackNotFinite.
//   (A) -> (V, W, info); mode: 'V', or 'N' for no vectors; uplo: 'L', 'U'
class Syevd {
 public:
  static constexpr int kMatrix = 0;
  struct Options {
    char mode;
    char uplo;
  };

  static absl::StatusOr<Options> Read(const LapackCall& call) {
    if (call.has_scalars()) {
      ASSIGN_OR_RETURN(const int64_t lower, call.Scalar(0));
      return Options{'V', lower != 0 ? 'L' : 'U'};
    }
    ASSIGN_OR_RETURN(const char mode, call.config().Letter("mode", "VN"));
    ASSIGN_OR_RETURN(const char uplo, call.config().Letter("uplo", "LU"));
    return Options{mode, uplo};
  }

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    RETURN_IF_ERROR(call.CheckSquare());
    const LapackTensor matrix =
        LapackTensor::Matrix(call.type(), call.rows(), call.rows());
    return LapackForm{{matrix},
                      {LapackTensor(matrix).InPlaceOf(0),
                       LapackTensor::Vector(call.real_type(), call.rows()),
                       LapackTensor::Info()}};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    using R = LapackReal<T>;
    const auto n = static_cast<LapackInt>(form.operands[0].rows);
    const LapackInt stride = member.operand_stride(0);
    if (!IsTriangleFinite(member.operand<T>(0), n, options.uplo == 'L')) {
      *member.result<LapackInt>(2) = kLapackNotFinite;
      return absl::OkStatus();
    }
    T asked = {};
    R asked_reals = {};
    LapackInt asked_integers = 0;
    const auto call = [&](T* work, LapackInt size, R* reals,
                          LapackInt real_size, LapackInt* integers,
                          LapackInt integer_size) {
      if constexpr (LapackRoutines<T>::kIsComplex) {
        lapack.syevd(&options.mode, &options.uplo, &n, member.operand<T>(0),
                     &stride, member.result<R>(1), work, &size, reals,
                     &real_size, integers, &integer_size,
                     member.result<LapackInt>(2), 1, 1);
      } else {
        static_cast<void>(reals);
        static_cast<void>(real_size);
        lapack.syevd(&options.mode, &options.uplo, &n, member.operand<T>(0),
                     &stride, member.result<R>(1), work, &size, integers,
                     &integer_size, member.result<LapackInt>(2), 1, 1);
      }
    };
    call(&asked, -1, &asked_reals, -1, &asked_integers, -1);
    ASSIGN_OR_RETURN(const LapackInt size, WorkSizeOf(asked));
    ASSIGN_OR_RETURN(const LapackInt real_size, WorkSizeOf(asked_reals));
    const LapackInt integer_size = std::max<LapackInt>(1, asked_integers);
    ASSIGN_OR_RETURN(T* const work, member.Work<T>(0, size));
    ASSIGN_OR_RETURN(R* const reals, member.Work<R>(1, real_size));
    ASSIGN_OR_RETURN(LapackInt* const integers,
                     member.Work<LapackInt>(2, integer_size));
    call(work, size, reals, real_size, integers, integer_size);
    return absl::OkStatus();
  }
};

void AddSymmetricEigen(CustomCallTargets& targets) {
  const LapackSlots slots = {.operands = {0}, .results = {0, 1, 2}};
  // lower, batch, n
  const LapackSlots old = {.operands = {3},
                           .results = {0, 1, 2},
                           .scalar_count = 3,
                           .has_work_results = true};
  AddLapackFamily<Syevd>(targets, {.real_name = "syevd",
                                   .complex_name = "heevd",
                                   .real = {slots},
                                   .complex = {slots},
                                   .old_real = {old},
                                   .old_complex = {old}});
}

REGISTER_CUSTOM_CALL_TARGETS(AddSymmetricEigen);

}  // namespace
}  // namespace lockstep::internal
