#include <algorithm>

#include "runtime/ops/custom_calls/lapack/lapack_target.h"

namespace lockstep::internal {
namespace {

// A = U S V^H; singular values in descending order. What the operand becomes
// means nothing.
//   (A) -> (A, S, U, V^H, info);
//   mode: 'A' for square U and V, 'S' for as many vectors as values, 'N' for
//   none
struct SvdOptions {
  char mode;
};

absl::StatusOr<SvdOptions> ReadSvd(const LapackCall& call) {
  if (call.has_scalars()) {
    ASSIGN_OR_RETURN(const int64_t is_full, call.Scalar(0));
    ASSIGN_OR_RETURN(const int64_t has_vectors, call.Scalar(1));
    if (has_vectors == 0) return SvdOptions{'N'};
    return SvdOptions{is_full != 0 ? 'A' : 'S'};
  }
  ASSIGN_OR_RETURN(const char mode, call.config().Letter("mode", "ASN"));
  return SvdOptions{mode};
}

// Programs that ask for no vectors have results for them, of either size.
absl::StatusOr<int64_t> VectorCount(const LapackCall& call, char mode,
                                    int result, int dim, int64_t size) {
  const int64_t count = std::min(call.rows(), call.columns());
  if (mode == 'A') return size;
  if (mode == 'S') return count;
  ASSIGN_OR_RETURN(const int64_t found, call.ResultDim(result, dim));
  return found == size ? size : count;
}

absl::StatusOr<LapackForm> SvdForm(const LapackCall& call,
                                   const SvdOptions& options) {
  const int64_t m = call.rows();
  const int64_t n = call.columns();
  ASSIGN_OR_RETURN(const int64_t left,
                   VectorCount(call, options.mode, 2, 1, m));
  ASSIGN_OR_RETURN(const int64_t right,
                   VectorCount(call, options.mode, 3, 0, n));
  const LapackTensor matrix = LapackTensor::Matrix(call.type(), m, n);
  return LapackForm{
      {matrix},
      {LapackTensor(matrix).InPlaceOf(0),
       LapackTensor::Vector(call.real_type(), std::min(m, n)),
       LapackTensor::Matrix(call.type(), m, left),
       LapackTensor::Matrix(call.type(), right, n), LapackTensor::Info()}};
}

// Of an empty matrix, about whose vectors LAPACK says nothing: any will do.
template <typename T>
void SetIdentity(T* matrix, const LapackTensor& tensor) {
  const int64_t count = std::min(tensor.rows, tensor.columns);
  for (int64_t i = 0; i < count; ++i) matrix[i * tensor.rows + i] = T{1};
}

// Without a routine: matrices that are empty, or not finite.
template <typename T>
bool IsDone(const LapackForm& form, const SvdOptions& options,
            LapackMember& member) {
  const int64_t count = form.operands[0].element_count();
  if (count > 0) {
    if (AreFinite(member.operand<T>(0), count)) return false;
    *member.result<LapackInt>(4) = kLapackNotFinite;
    return true;
  }
  if (options.mode == 'A') {
    SetIdentity(member.result<T>(2), form.results[2]);
    SetIdentity(member.result<T>(3), form.results[3]);
  }
  return true;
}

// What the two routines have in common.
struct SvdFamily {
  static constexpr int kMatrix = 0;
  using Options = SvdOptions;
  static absl::StatusOr<Options> Read(const LapackCall& call) {
    return ReadSvd(call);
  }
  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options& options) {
    return SvdForm(call, options);
  }
};

// gesdd: by divide and conquer. info i: it did not converge; or
// kLapackNotFinite.
class Gesdd : public SvdFamily {
 public:
  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    using R = LapackReal<T>;
    if (IsDone<T>(form, options, member)) return absl::OkStatus();
    const auto m = static_cast<LapackInt>(form.operands[0].rows);
    const auto n = static_cast<LapackInt>(form.operands[0].columns);
    const LapackInt stride = member.operand_stride(0);
    const LapackInt u_stride = member.result_stride(2);
    const LapackInt vt_stride = member.result_stride(3);
    ASSIGN_OR_RETURN(R* const rwork, member.Work<R>(1, RealWorkSize<T>(m, n)));
    ASSIGN_OR_RETURN(LapackInt* const iwork,
                     member.Work<LapackInt>(2, 8 * int64_t{std::min(m, n)}));
    return RunWithWork<T>(member, [&](T* work, LapackInt size) {
      if constexpr (LapackRoutines<T>::kIsComplex) {
        lapack.gesdd(&options.mode, &m, &n, member.operand<T>(0), &stride,
                     member.result<R>(1), member.result<T>(2), &u_stride,
                     member.result<T>(3), &vt_stride, work, &size, rwork, iwork,
                     member.result<LapackInt>(4), 1);
      } else {
        static_cast<void>(rwork);
        lapack.gesdd(&options.mode, &m, &n, member.operand<T>(0), &stride,
                     member.result<R>(1), member.result<T>(2), &u_stride,
                     member.result<T>(3), &vt_stride, work, &size, iwork,
                     member.result<LapackInt>(4), 1);
      }
    });
  }

 private:
  // Of complex matrices, as LAPACK's documentation has it, whatever the mode.
  template <typename T>
  static int64_t RealWorkSize(int64_t m, int64_t n) {
    if (!LapackRoutines<T>::kIsComplex) return 0;
    const int64_t small = std::min(m, n);
    const int64_t large = std::max(m, n);
    return std::max(5 * small * small + 7 * small,
                    2 * large * small + 2 * small * small + small);
  }
};

// gesvd: by the QR algorithm. info i: i numbers did not converge; or
// kLapackNotFinite.
class Gesvd : public SvdFamily {
 public:
  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    using R = LapackReal<T>;
    if (IsDone<T>(form, options, member)) return absl::OkStatus();
    const auto m = static_cast<LapackInt>(form.operands[0].rows);
    const auto n = static_cast<LapackInt>(form.operands[0].columns);
    const LapackInt stride = member.operand_stride(0);
    const LapackInt u_stride = member.result_stride(2);
    const LapackInt vt_stride = member.result_stride(3);
    ASSIGN_OR_RETURN(R* const rwork,
                     member.Work<R>(1, 5 * int64_t{std::min(m, n)}));
    return RunWithWork<T>(member, [&](T* work, LapackInt size) {
      if constexpr (LapackRoutines<T>::kIsComplex) {
        lapack.gesvd(&options.mode, &options.mode, &m, &n, member.operand<T>(0),
                     &stride, member.result<R>(1), member.result<T>(2),
                     &u_stride, member.result<T>(3), &vt_stride, work, &size,
                     rwork, member.result<LapackInt>(4), 1, 1);
      } else {
        static_cast<void>(rwork);
        lapack.gesvd(&options.mode, &options.mode, &m, &n, member.operand<T>(0),
                     &stride, member.result<R>(1), member.result<T>(2),
                     &u_stride, member.result<T>(3), &vt_stride, work, &size,
                     member.result<LapackInt>(4), 1, 1);
      }
    });
  }
};

void AddSvd(CustomCallTargets& targets) {
  const LapackSlots slots = {.operands = {0}, .results = {0, 1, 2, 3, 4}};
  // is full, has vectors, batch, m, n, size of the work space
  const LapackSlots old = {.operands = {6},
                           .results = {0, 1, 2, 3, 4},
                           .scalar_count = 6,
                           .has_work_results = true};
  AddLapackFamily<Gesdd>(targets, {.real_name = "gesdd",
                                   .complex_name = "gesdd",
                                   .real = {slots},
                                   .complex = {slots},
                                   .old_real = {old},
                                   .old_complex = {old}});
  AddLapackFamily<Gesvd>(targets, {.real_name = "gesvd",
                                   .complex_name = "gesvd",
                                   .real = {slots},
                                   .complex = {slots}});
}

REGISTER_CUSTOM_CALL_TARGETS(AddSvd);

}  // namespace
}  // namespace lockstep::internal
