#include <algorithm>

#include "runtime/ops/custom_calls/lapack/lapack_target.h"

namespace lockstep::internal {
namespace {

constexpr int kAbsent = LapackSlots::kAbsent;

// geqrf: A = Q R; Q as Householder vectors below R and their factors.
//   (A) -> (R and vectors, taus)
class Geqrf : public NoLapackOptions {
 public:
  static constexpr int kMatrix = 0;

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    const LapackTensor matrix =
        LapackTensor::Matrix(call.type(), call.rows(), call.columns());
    return LapackForm{{matrix},
                      {LapackTensor(matrix).InPlaceOf(0),
                       LapackTensor::Vector(
                           call.type(), std::min(call.rows(), call.columns())),
                       LapackTensor::Info()}};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options&,
                          LapackMember& member) {
    const auto m = static_cast<LapackInt>(form.operands[0].rows);
    const auto n = static_cast<LapackInt>(form.operands[0].columns);
    const LapackInt stride = member.operand_stride(0);
    const auto call = [&](T* work, LapackInt size) {
      lapack.geqrf(&m, &n, member.operand<T>(0), &stride, member.result<T>(1),
                   work, &size, member.result<LapackInt>(2));
    };
    return RunWithWork<T>(member, call);
  }
};

// geqp3: A P = Q R with pivoted columns. Columns whose number is not 0 come
// first; those of the result count from 1.
//   (A, columns) -> (R and vectors, columns, taus)
class Geqp3 : public NoLapackOptions {
 public:
  static constexpr int kMatrix = 0;

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    const LapackTensor matrix =
        LapackTensor::Matrix(call.type(), call.rows(), call.columns());
    const LapackTensor columns =
        LapackTensor::Vector(ElementType::kS32, call.columns());
    return LapackForm{
        {matrix, columns},
        {LapackTensor(matrix).InPlaceOf(0), LapackTensor(columns).InPlaceOf(1),
         LapackTensor::Vector(call.type(),
                              std::min(call.rows(), call.columns())),
         LapackTensor::Info()}};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options&,
                          LapackMember& member) {
    using R = LapackReal<T>;
    const auto m = static_cast<LapackInt>(form.operands[0].rows);
    const auto n = static_cast<LapackInt>(form.operands[0].columns);
    const LapackInt stride = member.operand_stride(0);
    ASSIGN_OR_RETURN(R* const rwork, member.Work<R>(1, 2 * int64_t{n}));
    const auto call = [&](T* work, LapackInt size) {
      if constexpr (LapackRoutines<T>::kIsComplex) {
        lapack.geqp3(&m, &n, member.operand<T>(0), &stride,
                     member.operand<LapackInt>(1), member.result<T>(2), work,
                     &size, rwork, member.result<LapackInt>(3));
      } else {
        static_cast<void>(rwork);
        lapack.geqp3(&m, &n, member.operand<T>(0), &stride,
                     member.operand<LapackInt>(1), member.result<T>(2), work,
                     &size, member.result<LapackInt>(3));
      }
    };
    return RunWithWork<T>(member, call);
  }
};

// orgqr, ungqr: the first columns of the Q of geqrf.
//   (vectors, taus) -> (Q)
class Orgqr : public NoLapackOptions {
 public:
  static constexpr int kMatrix = 0;

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    ASSIGN_OR_RETURN(const int64_t count, call.OperandDim(1, 0));
    if (call.rows() < call.columns() || call.columns() < count) {
      return call.op().Error(absl::StrCat(
          "expected at least as many rows as columns as taus, found ",
          call.rows(), ", ", call.columns(), " and ", count));
    }
    const LapackTensor matrix =
        LapackTensor::Matrix(call.type(), call.rows(), call.columns());
    return LapackForm{
        {matrix, LapackTensor::Vector(call.type(), count)},
        {LapackTensor(matrix).InPlaceOf(0), LapackTensor::Info()}};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options&,
                          LapackMember& member) {
    const auto m = static_cast<LapackInt>(form.operands[0].rows);
    const auto n = static_cast<LapackInt>(form.operands[0].columns);
    const auto k = static_cast<LapackInt>(form.operands[1].rows);
    const LapackInt stride = member.operand_stride(0);
    const auto call = [&](T* work, LapackInt size) {
      lapack.orgqr(&m, &n, &k, member.operand<T>(0), &stride,
                   member.operand<T>(1), work, &size,
                   member.result<LapackInt>(1));
    };
    return RunWithWork<T>(member, call);
  }
};

// ormqr, unmqr: Q C, C Q, Q^H C or C Q^H, with the Q of geqrf.
//   (vectors, taus, C) -> (product); left, transpose: true or false
class Ormqr {
 public:
  static constexpr int kMatrix = 2;
  struct Options {
    bool is_left;
    bool is_transposed;
  };

  static absl::StatusOr<Options> Read(const LapackCall& call) {
    ASSIGN_OR_RETURN(const bool left, call.config().Bool("left"));
    ASSIGN_OR_RETURN(const bool transpose, call.config().Bool("transpose"));
    return Options{left, transpose};
  }

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options& options) {
    const int64_t order = options.is_left ? call.rows() : call.columns();
    ASSIGN_OR_RETURN(const int64_t columns, call.OperandDim(0, 1));
    ASSIGN_OR_RETURN(const int64_t count, call.OperandDim(1, 0));
    if (columns < count || order < count) {
      return call.op().Error(
          absl::StrCat("expected at most as many taus as columns and as rows "
                       "of the vectors, found ",
                       count, ", ", columns, " and ", order));
    }
    const LapackTensor matrix =
        LapackTensor::Matrix(call.type(), call.rows(), call.columns());
    return LapackForm{
        {LapackTensor::Matrix(call.type(), order, columns),
         LapackTensor::Vector(call.type(), count), matrix},
        {LapackTensor(matrix).InPlaceOf(2), LapackTensor::Info()}};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options& options,
                          LapackMember& member) {
    const char side = options.is_left ? 'L' : 'R';
    const char transposed = LapackRoutines<T>::kIsComplex ? 'C' : 'T';
    const char trans = options.is_transposed ? transposed : 'N';
    const auto m = static_cast<LapackInt>(form.operands[2].rows);
    const auto n = static_cast<LapackInt>(form.operands[2].columns);
    const auto k = static_cast<LapackInt>(form.operands[1].rows);
    const LapackInt stride = member.operand_stride(0);
    const LapackInt product_stride = member.operand_stride(2);
    const auto call = [&](T* work, LapackInt size) {
      lapack.ormqr(&side, &trans, &m, &n, &k, member.operand<T>(0), &stride,
                   member.operand<T>(1), member.operand<T>(2), &product_stride,
                   work, &size, member.result<LapackInt>(1), 1, 1);
    };
    return RunWithWork<T>(member, call);
  }
};

void AddQr(CustomCallTargets& targets) {
  const LapackSlots geqrf = {.operands = {0}, .results = {0, 1, kAbsent}};
  // batch, m, n, size of the work space
  const LapackSlots old_geqrf = {.operands = {4},
                                 .results = {0, 1, 2},
                                 .scalar_count = 4,
                                 .has_work_results = true};
  AddLapackFamily<Geqrf>(targets, {.real_name = "geqrf",
                                   .complex_name = "geqrf",
                                   .real = {geqrf},
                                   .complex = {geqrf},
                                   .old_real = {old_geqrf},
                                   .old_complex = {old_geqrf}});
  const LapackSlots geqp3 = {.operands = {0, 1}, .results = {0, 1, 2, kAbsent}};
  AddLapackFamily<Geqp3>(targets, {.real_name = "geqp3",
                                   .complex_name = "geqp3",
                                   .real = {geqp3},
                                   .complex = {geqp3}});
  const LapackSlots orgqr = {.operands = {0, 1}, .results = {0, kAbsent}};
  // batch, m, n, k, size of the work space
  const LapackSlots old_orgqr = {.operands = {5, 6},
                                 .results = {0, 1},
                                 .scalar_count = 5,
                                 .has_work_results = true};
  AddLapackFamily<Orgqr>(targets, {.real_name = "orgqr",
                                   .complex_name = "ungqr",
                                   .real = {orgqr},
                                   .complex = {orgqr},
                                   .old_real = {old_orgqr},
                                   .old_complex = {old_orgqr}});
  const LapackSlots ormqr = {.operands = {0, 1, 2}, .results = {0, kAbsent}};
  AddLapackFamily<Ormqr>(targets, {.real_name = "ormqr",
                                   .complex_name = "unmqr",
                                   .real = {ormqr},
                                   .complex = {ormqr}});
}

REGISTER_CUSTOM_CALL_TARGETS(AddQr);

}  // namespace
}  // namespace lockstep::internal
