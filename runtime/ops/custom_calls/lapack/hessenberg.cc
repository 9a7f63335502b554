#include <algorithm>

#include "runtime/ops/custom_calls/lapack/lapack_target.h"

namespace lockstep::internal {
namespace {

// gehrd: A = Q H Q^H, H zero below its first subdiagonal, of matrices that are
// upper triangular outside of rows and columns `low` to `high`, from 1; Q as
// Householder vectors below H and their factors.
//   (A) -> (H and vectors, taus, info); low, high
class Gehrd {
 public:
  static constexpr int kMatrix = 0;
  struct Options {
    LapackInt low;
    LapackInt high;
  };

  static absl::StatusOr<Options> Read(const LapackCall& call) {
    int64_t low = 0;
    int64_t high = 0;
    if (call.has_scalars()) {
      ASSIGN_OR_RETURN(low, call.Scalar(1));
      ASSIGN_OR_RETURN(high, call.Scalar(2));
    } else {
      ASSIGN_OR_RETURN(low, call.config().Integer("low"));
      ASSIGN_OR_RETURN(high, call.config().Integer("high"));
    }
    const int64_t n = call.rows();
    const bool is_range =
        n == 0 ? low == 1 && high == 0 : 1 <= low && low <= high && high <= n;
    if (is_range) {
      return Options{static_cast<LapackInt>(low), static_cast<LapackInt>(high)};
    }
    return call.op().Error(
        absl::StrCat("low, high: expected a range within 1 to ", n, ", found ",
                     low, " to ", high));
  }

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    RETURN_IF_ERROR(call.CheckSquare());
    const int64_t n = call.rows();
    const LapackTensor matrix = LapackTensor::Matrix(call.type(), n, n);
    return LapackForm{
        {matrix},
        {LapackTensor(matrix).InPlaceOf(0),
         LapackTensor::Vector(call.type(), std::max<int64_t>(n - 1, 0)),
         LapackTensor::Info()}};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    const auto n = static_cast<LapackInt>(form.operands[0].rows);
    const LapackInt stride = member.operand_stride(0);
    return RunWithWork<T>(member, [&](T* work, LapackInt size) {
      lapack.gehrd(&n, &options.low, &options.high, member.operand<T>(0),
                   &stride, member.result<T>(1), work, &size,
                   member.result<LapackInt>(2));
    });
  }
};

void AddHessenberg(CustomCallTargets& targets) {
  const LapackSlots slots = {.operands = {0}, .results = {0, 1, 2}};
  // n, low, high, stride, batch, size of the work space
  const LapackSlots old = {.operands = {6},
                           .results = {0, 1, 2},
                           .scalar_count = 6,
                           .has_work_results = true};
  AddLapackFamily<Gehrd>(targets, {.real_name = "gehrd",
                                   .complex_name = "gehrd",
                                   .real = {slots},
                                   .complex = {slots},
                                   .old_real = {old},
                                   .old_complex = {old}});
}

REGISTER_CUSTOM_CALL_TARGETS(AddHessenberg);

}  // namespace
}  // namespace lockstep::internal
