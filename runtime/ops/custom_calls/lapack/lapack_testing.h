#ifndef LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_TESTING_H_
#define LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_TESTING_H_

#include <algorithm>
#include <complex>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/module.h"
#include "runtime/lapack/lapack_api.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// For tests of LAPACK calls: programs of one call, as JAX writes them, and the
// matrices of one member of a batch, in double precision.

using Number = std::complex<double>;

// "[dense<[1, 2, 0]> : tensor<3xindex>, ..]": tensors of more than
// `batch_rank` + 1 dims are matrices, column by column.
inline std::string LayoutsText(const std::vector<Shape>& shapes,
                               int64_t batch_rank) {
  std::vector<std::string> layouts;
  for (const Shape& shape : shapes) {
    std::vector<int64_t> dims;
    for (int64_t dim = shape.rank() - 1; dim >= 0; --dim) dims.push_back(dim);
    if (shape.rank() == batch_rank + 2) std::swap(dims[0], dims[1]);
    layouts.push_back(shape.rank() == 0
                          ? "dense<> : tensor<0xindex>"
                          : absl::StrCat("dense<[", absl::StrJoin(dims, ", "),
                                         "]> : tensor<", shape.rank(),
                                         "xindex>"));
  }
  return absl::StrCat("[", absl::StrJoin(layouts, ", "), "]");
}

struct CallSpec {
  std::string target;
  std::vector<Shape> operands;
  std::vector<Shape> results;
  std::string config;  // "uplo = 76 : ui8"
  int64_t batch_rank = 0;
};

// @main takes the operands of the call and returns its results.
inline std::string CallText(const CallSpec& call) {
  std::vector<std::string> arguments, names, operands, results, values;
  for (size_t i = 0; i < call.operands.size(); ++i) {
    operands.push_back(call.operands[i].ToString());
    names.push_back(absl::StrCat("%a", i));
    arguments.push_back(absl::StrCat("%a", i, ": ", operands.back()));
  }
  const bool is_single = call.results.size() == 1;
  for (size_t i = 0; i < call.results.size(); ++i) {
    results.push_back(call.results[i].ToString());
    values.push_back(is_single ? "%0" : absl::StrCat("%0#", i));
  }
  const std::string result_types = absl::StrJoin(results, ", ");
  return absl::StrCat(
      "func.func @main(", absl::StrJoin(arguments, ", "), ") -> (",
      result_types, ") {\n  %0",
      is_single ? "" : absl::StrCat(":", call.results.size()),
      " = stablehlo.custom_call @", call.target, "(",
      absl::StrJoin(names, ", "),
      ") {backend_config = \"\", mhlo.backend_config = {", call.config,
      "}, operand_layouts = ", LayoutsText(call.operands, call.batch_rank),
      ", result_layouts = ", LayoutsText(call.results, call.batch_rank),
      "} : (", absl::StrJoin(operands, ", "), ") -> (", result_types,
      ")\n  return ", absl::StrJoin(values, ", "), " : ", result_types,
      "\n}\n");
}

inline absl::StatusOr<std::vector<Literal>> RunCall(
    const CallSpec& call, const std::vector<Literal>& operands) {
  const std::string text = CallText(call);
  ASSIGN_OR_RETURN(const std::unique_ptr<Module> module,
                   ParseAndVerify(text, "t.mlir"));
  return Evaluate(*module, operands);
}

// A matrix; a vector is one column.
struct Matrix {
  Matrix(int64_t r, int64_t c) : rows(r), columns(c), numbers(r * c) {}
  Number& operator()(int64_t i, int64_t j) { return numbers[i * columns + j]; }
  Number operator()(int64_t i, int64_t j) const {
    return numbers[i * columns + j];
  }

  int64_t rows;
  int64_t columns;
  std::vector<Number> numbers;  // row-major
};

inline Matrix Identity(int64_t n) {
  Matrix identity(n, n);
  for (int64_t i = 0; i < n; ++i) identity(i, i) = 1;
  return identity;
}

inline Matrix operator*(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(a.columns, b.rows);
  Matrix product(a.rows, b.columns);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < b.columns; ++j) {
      for (int64_t k = 0; k < a.columns; ++k)
        product(i, j) += a(i, k) * b(k, j);
    }
  }
  return product;
}

inline Matrix Transposed(const Matrix& a) {
  Matrix result(a.columns, a.rows);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.columns; ++j) result(j, i) = a(i, j);
  }
  return result;
}

inline Matrix Adjoint(const Matrix& a) {
  Matrix result = Transposed(a);
  for (Number& x : result.numbers) x = std::conj(x);
  return result;
}

// The first columns.
inline Matrix Columns(const Matrix& a, int64_t count) {
  Matrix result(a.rows, count);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < count; ++j) result(i, j) = a(i, j);
  }
  return result;
}

// Elements on the diagonal `first` and above it; zeros below. 0 is the main
// one, -1 that below.
inline Matrix UpperPart(const Matrix& a, int64_t first = 0) {
  Matrix result(a.rows, a.columns);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = std::max<int64_t>(0, i + first); j < a.columns; ++j) {
      result(i, j) = a(i, j);
    }
  }
  return result;
}
inline Matrix LowerPart(const Matrix& a) {
  return Transposed(UpperPart(Transposed(a)));
}

// Of the numbers of a vector.
inline Matrix Diagonal(const Matrix& vector, int64_t rows, int64_t columns) {
  Matrix result(rows, columns);
  for (int64_t i = 0; i < vector.rows; ++i) result(i, i) = vector(i, 0);
  return result;
}

// H(1) H(2) .. of order `n`: column j of `vectors`, below row j + `offset`,
// with a one there, and taus[j].
inline Matrix HouseholderProduct(const Matrix& vectors, const Matrix& taus,
                                 int64_t n, int64_t offset) {
  Matrix product = Identity(n);
  for (int64_t j = 0; j < taus.rows; ++j) {
    Matrix v(n, 1);
    v(j + offset, 0) = 1;
    for (int64_t i = j + offset + 1; i < n; ++i) v(i, 0) = vectors(i, j);
    Matrix scaled = v;
    for (Number& x : scaled.numbers) x *= taus(j, 0);
    const Matrix change = product * scaled * Adjoint(v);
    for (int64_t i = 0; i < n * n; ++i) product.numbers[i] -= change.numbers[i];
  }
  return product;
}

// Batches of elements of one type T of LAPACK.
template <typename T>
class LapackTest : public testing::Test {
 protected:
  using R = LapackReal<T>;
  static constexpr bool kIsComplex = !std::is_same_v<T, R>;

  static ElementType Type() { return ElementTypeOf<T>::value; }
  static ElementType RealType() { return ElementTypeOf<R>::value; }
  static ElementType ComplexType() {
    return ElementTypeOf<std::complex<R>>::value;
  }
  // "lapack_sorgqr_ffi".
  static std::string Target(absl::string_view real, absl::string_view complex) {
    constexpr char kLetter = kIsComplex ? (sizeof(R) == 4 ? 'c' : 'z')
                                        : (sizeof(R) == 4 ? 's' : 'd');
    return absl::StrCat("lapack_", std::string(1, kLetter),
                        kIsComplex ? complex : real, "_ffi");
  }
  static std::string Target(absl::string_view name) {
    return Target(name, name);
  }
  static Shape ShapeOf(ElementType type, const std::vector<int64_t>& batch,
                       const std::vector<int64_t>& dims) {
    std::vector<int64_t> all = batch;
    all.insert(all.end(), dims.begin(), dims.end());
    return Shape(type, all);
  }

  T Draw() {
    std::uniform_real_distribution<double> uniform(-1, 1);
    if constexpr (kIsComplex) {
      const R real = static_cast<R>(uniform(random_));
      return T(real, static_cast<R>(uniform(random_)));
    } else {
      return static_cast<T>(uniform(random_));
    }
  }
  Literal DrawOf(const std::vector<int64_t>& batch,
                 const std::vector<int64_t>& dims) {
    Literal literal(ShapeOf(Type(), batch, dims));
    for (T& x : literal.template mutable_data<T>()) x = Draw();
    return literal;
  }
  Matrix DrawMatrix(int64_t rows, int64_t columns) {
    Matrix matrix(rows, columns);
    for (Number& x : matrix.numbers) x = Number(Draw());
    return matrix;
  }
  // Puts a matrix into member `i` of a batch.
  static void Put(const Matrix& matrix, Literal& literal, int64_t i) {
    T* to = literal.template mutable_data<T>().data() +
            i * static_cast<int64_t>(matrix.numbers.size());
    for (const Number& x : matrix.numbers) {
      if constexpr (kIsComplex) {
        *to++ = T(x);
      } else {
        *to++ = static_cast<T>(x.real());
      }
    }
  }
  // Member `i` of a batch of matrices, of vectors (columns 1).
  template <typename U>
  static Matrix MemberOf(const Literal& literal, int64_t i, int64_t rows,
                         int64_t columns) {
    Matrix matrix(rows, columns);
    const U* from = literal.template data<U>().data() + i * rows * columns;
    for (Number& x : matrix.numbers) x = Number(*from++);
    return matrix;
  }
  static Matrix Member(const Literal& literal, int64_t i, int64_t rows,
                       int64_t columns) {
    return MemberOf<T>(literal, i, rows, columns);
  }

  // Within what rounding makes of matrices with elements of about 1.
  static void ExpectNear(const Matrix& found, const Matrix& expected) {
    ASSERT_EQ(found.rows, expected.rows);
    ASSERT_EQ(found.columns, expected.columns);
    const double tolerance = 200 * std::numeric_limits<R>::epsilon() *
                             static_cast<double>(found.rows + found.columns);
    for (size_t i = 0; i < found.numbers.size(); ++i) {
      ASSERT_LE(std::abs(found.numbers[i] - expected.numbers[i]), tolerance)
          << "element " << i << ": " << found.numbers[i] << ", expected "
          << expected.numbers[i];
    }
  }
  static void ExpectUnitary(const Matrix& q) {
    ExpectNear(Adjoint(q) * q, Identity(q.columns));
  }
  static void ExpectInfo(const Literal& info, int64_t i, int32_t expected) {
    EXPECT_EQ(info.data<int32_t>()[i], expected) << "member " << i;
  }

  std::mt19937_64 random_{7};
};

using LapackTypes =
    testing::Types<float, double, std::complex<float>, std::complex<double>>;

inline const std::vector<std::vector<int64_t>>& Batches() {
  static const auto* batches =
      new std::vector<std::vector<int64_t>>{{}, {3}, {2, 2}, {0}};
  return *batches;
}

inline int64_t SizeOf(const std::vector<int64_t>& batch) {
  int64_t size = 1;
  for (const int64_t dim : batch) size *= dim;
  return size;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_LAPACK_LAPACK_TESTING_H_
