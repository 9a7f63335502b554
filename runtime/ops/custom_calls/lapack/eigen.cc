#include "runtime/ops/custom_calls/lapack/lapack_target.h"

namespace lockstep::internal {
namespace {

// Of a real matrix: the vectors of two eigenvalues that are conjugates, which
// the imaginary parts `w_imag` tell, are their real and their imaginary part.
template <typename R>
void UnpackVectors(const R* packed, const R* w_imag, int64_t n,
                   std::complex<R>* vectors) {
  for (int64_t j = 0; j < n; ++j) {
    const bool is_pair = w_imag[j] != 0 && j + 1 < n;
    for (int64_t i = 0; i < n; ++i) {
      const R real = packed[j * n + i];
      const R imag = is_pair ? packed[(j + 1) * n + i] : R{0};
      vectors[j * n + i] = {real, imag};
      if (is_pair) vectors[(j + 1) * n + i] = {real, -imag};
    }
    if (is_pair) ++j;
  }
}

// geev: A V = V W and U^H A = W U^H; vectors of norm 1. info i: eigenvalues
// from i + 1 on are right; kLapackNotFinite.
//   (A) -> (real W, imaginary W, U, V, info), of complex ones (W, U, V, info);
//   compute_left, compute_right: 'V', or 'N' for no vectors
class Geev {
 public:
  static constexpr int kMatrix = 0;
  struct Options {
    char left;
    char right;
  };

  static absl::StatusOr<Options> Read(const LapackCall& call) {
    if (call.has_scalars()) {
      ASSIGN_OR_RETURN(const char left, call.ScalarLetter(2, "VN"));
      ASSIGN_OR_RETURN(const char right, call.ScalarLetter(3, "VN"));
      return Options{left, right};
    }
    ASSIGN_OR_RETURN(const char left,
                     call.config().Letter("compute_left", "VN"));
    ASSIGN_OR_RETURN(const char right,
                     call.config().Letter("compute_right", "VN"));
    return Options{left, right};
  }

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    RETURN_IF_ERROR(call.CheckSquare());
    const int64_t n = call.rows();
    const LapackTensor vectors = LapackTensor::Matrix(
        call.real_type() == ElementType::kF32 ? ElementType::kC64
                                              : ElementType::kC128,
        n, n);
    LapackForm form;
    form.operands = {LapackTensor::Matrix(call.type(), n, n)};
    form.results = {LapackTensor::Vector(call.type(), n), vectors, vectors,
                    LapackTensor::Info()};
    if (!IsComplex(call.type())) {
      form.results.insert(form.results.begin(), form.results[0]);
    }
    return form;
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    const int64_t n = form.operands[0].rows;
    const int info = static_cast<int>(form.results.size()) - 1;
    if (!AreFinite(member.operand<T>(0), n * n)) {
      *member.result<LapackInt>(info) = kLapackNotFinite;
      return absl::OkStatus();
    }
    if constexpr (LapackRoutines<T>::kIsComplex) {
      return RunComplex(lapack, n, options, member);
    } else {
      return RunReal(lapack, n, options, member);
    }
  }

 private:
  template <typename T>
  static absl::Status RunComplex(const LapackRoutines<T>& lapack, int64_t size,
                                 const Options& options, LapackMember& member) {
    using R = LapackReal<T>;
    const auto n = static_cast<LapackInt>(size);
    const LapackInt stride = member.operand_stride(0);
    ASSIGN_OR_RETURN(R* const rwork, member.Work<R>(1, 2 * size));
    return RunWithWork<T>(member, [&](T* work, LapackInt work_size) {
      lapack.geev(&options.left, &options.right, &n, member.operand<T>(0),
                  &stride, member.result<T>(0), member.result<T>(1), &stride,
                  member.result<T>(2), &stride, work, &work_size, rwork,
                  member.result<LapackInt>(3), 1, 1);
    });
  }

  template <typename T>
  static absl::Status RunReal(const LapackRoutines<T>& lapack, int64_t size,
                              const Options& options, LapackMember& member) {
    const auto n = static_cast<LapackInt>(size);
    const LapackInt stride = member.operand_stride(0);
    ASSIGN_OR_RETURN(T* const left, member.Work<T>(1, size * size));
    ASSIGN_OR_RETURN(T* const right, member.Work<T>(2, size * size));
    RETURN_IF_ERROR(RunWithWork<T>(member, [&](T* work, LapackInt work_size) {
      lapack.geev(&options.left, &options.right, &n, member.operand<T>(0),
                  &stride, member.result<T>(0), member.result<T>(1), left,
                  &stride, right, &stride, work, &work_size,
                  member.result<LapackInt>(4), 1, 1);
    }));
    if (*member.result<LapackInt>(4) != 0) return absl::OkStatus();
    const T* const w_imag = member.result<T>(1);
    if (options.left == 'V') {
      UnpackVectors(left, w_imag, size, member.result<std::complex<T>>(2));
    }
    if (options.right == 'V') {
      UnpackVectors(right, w_imag, size, member.result<std::complex<T>>(3));
    }
    return absl::OkStatus();
  }
};

// gees: A = Z T Z^H, T upper triangular, of real matrices with blocks of order
// 2 on the diagonal. info as that of geev.
//   (A) -> (T, Z, real W, imaginary W, selected, info), of complex ones
//   (T, Z, W, selected, info); mode: 'V', or 'N' for no Z; sort: 'N'
class Gees {
 public:
  static constexpr int kMatrix = 0;
  struct Options {
    char mode;
  };

  static absl::StatusOr<Options> Read(const LapackCall& call) {
    if (call.has_scalars()) {
      ASSIGN_OR_RETURN(const char mode, call.ScalarLetter(2, "VN"));
      ASSIGN_OR_RETURN(const char sort, call.ScalarLetter(3, "NS"));
      return FromLetters(call, mode, sort);
    }
    ASSIGN_OR_RETURN(const char mode, call.config().Letter("mode", "VN"));
    ASSIGN_OR_RETURN(const char sort, call.config().Letter("sort", "NS"));
    return FromLetters(call, mode, sort);
  }

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    RETURN_IF_ERROR(call.CheckSquare());
    const int64_t n = call.rows();
    const LapackTensor matrix = LapackTensor::Matrix(call.type(), n, n);
    LapackForm form;
    form.operands = {matrix};
    form.results = {LapackTensor(matrix).InPlaceOf(0), matrix,
                    LapackTensor::Vector(call.type(), n), LapackTensor::Info(),
                    LapackTensor::Info()};
    if (!IsComplex(call.type())) {
      form.results.insert(form.results.begin() + 2, form.results[2]);
    }
    return form;
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    using R = LapackReal<T>;
    constexpr char kNoSort = 'N';
    const int64_t size = form.operands[0].rows;
    const auto n = static_cast<LapackInt>(size);
    const LapackInt stride = member.operand_stride(0);
    const int last = static_cast<int>(form.results.size()) - 1;
    LapackInt* const info = member.result<LapackInt>(last);
    LapackInt* const selected = member.result<LapackInt>(last - 1);
    if (!AreFinite(member.operand<T>(0), size * size)) {
      *info = kLapackNotFinite;
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(R* const rwork, member.Work<R>(1, size));
    ASSIGN_OR_RETURN(LapackInt* const bwork, member.Work<LapackInt>(2, size));
    return RunWithWork<T>(member, [&](T* work, LapackInt work_size) {
      if constexpr (LapackRoutines<T>::kIsComplex) {
        lapack.gees(&options.mode, &kNoSort, nullptr, &n, member.operand<T>(0),
                    &stride, selected, member.result<T>(2), member.result<T>(1),
                    &stride, work, &work_size, rwork, bwork, info, 1, 1);
      } else {
        static_cast<void>(rwork);
        lapack.gees(&options.mode, &kNoSort, nullptr, &n, member.operand<T>(0),
                    &stride, selected, member.result<T>(2), member.result<T>(3),
                    member.result<T>(1), &stride, work, &work_size, bwork, info,
                    1, 1);
      }
    });
  }

 private:
  static absl::StatusOr<Options> FromLetters(const LapackCall& call, char mode,
                                             char sort) {
    if (sort == 'N') return Options{mode};
    return call.op().Unimplemented("sort: sorted eigenvalues");
  }
};

void AddEigen(CustomCallTargets& targets) {
  // batch, n, left, right
  AddLapackFamily<Geev>(
      targets, {.real_name = "geev",
                .complex_name = "geev",
                .real = {{.operands = {0}, .results = {0, 1, 2, 3, 4}}},
                .complex = {{.operands = {0}, .results = {0, 1, 2, 3}}},
                .old_real = {{.operands = {4},
                              .results = {3, 4, 5, 6, 7},
                              .scalar_count = 4,
                              .has_work_results = true}},
                .old_complex = {{.operands = {4},
                                 .results = {2, 3, 4, 5},
                                 .scalar_count = 4,
                                 .has_work_results = true}}});
  // batch, n, mode, sort
  AddLapackFamily<Gees>(
      targets, {.real_name = "gees",
                .complex_name = "gees",
                .real = {{.operands = {0}, .results = {0, 1, 2, 3, 4, 5}}},
                .complex = {{.operands = {0}, .results = {0, 1, 2, 3, 4}}},
                .old_real = {{.operands = {4},
                              .results = {0, 3, 1, 2, 4, 5},
                              .scalar_count = 4}},
                .old_complex = {{.operands = {4},
                                 .results = {0, 3, 2, 4, 5},
                                 .scalar_count = 4,
                                 .has_work_results = true}}});
}

REGISTER_CUSTOM_CALL_TARGETS(AddEigen);

}  // namespace
}  // namespace lockstep::internal
