#include "tests/cuda_emulation/matrix_product.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>

#include "tests/cuda_emulation/small_floats.h"

namespace lockstep::internal::cuda {
namespace {

bool IsFloat8(cudaDataType_t type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

// Types of products with sums in float32.
bool AreFloat32Types(const MatrixProduct& product) {
  const cudaDataType_t a = product.a.type;
  const cudaDataType_t b = product.b.type;
  const cudaDataType_t d = product.d.type;
  if (product.description.scale_type == CUDA_C_32F) {
    return a == CUDA_C_32F && b == a && d == a;
  }
  if (product.description.scale_type != CUDA_R_32F) return false;
  if (IsFloat8(a) && IsFloat8(b)) {
    return (a != CUDA_R_8F_E5M2 || b != CUDA_R_8F_E5M2) &&
           (d == CUDA_R_32F || d == CUDA_R_16BF || d == CUDA_R_16F);
  }
  const bool is_half = a == CUDA_R_16F || a == CUDA_R_16BF;
  return a == b && ((is_half && (d == a || d == CUDA_R_32F)) ||
                    (a == CUDA_R_32F && d == a));
}

bool AreSupportedTypes(const MatrixProduct& product) {
  const MatmulDescription& description = product.description;
  const cudaDataType_t a = product.a.type;
  const bool is_same =
      product.b.type == a && product.d.type == a && product.c.type == a;
  switch (description.compute_type) {
    case CUBLAS_COMPUTE_32F:
      return product.c.type == product.d.type && AreFloat32Types(product);
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return is_same && (a == CUDA_R_32F || a == CUDA_C_32F) &&
             description.scale_type == a;
    case CUBLAS_COMPUTE_64F:
      return is_same && (a == CUDA_R_64F || a == CUDA_C_64F) &&
             description.scale_type == a;
    case CUBLAS_COMPUTE_32I:
      return a == CUDA_R_8I && product.b.type == a &&
             product.c.type == CUDA_R_32I && product.d.type == CUDA_R_32I &&
             description.scale_type == CUDA_R_32I;
  }
  return false;
}

// What integers and float8 need: A transposed, B not, sizes of whole groups.
bool IsGrouped(const MatrixProduct& product, int64_t group) {
  for (const MatrixLayout* layout : {&product.a, &product.b, &product.c}) {
    if (layout->order != CUBLASLT_ORDER_COL ||
        layout->leading_dimension % group != 0) {
      return false;
    }
  }
  return product.description.transpose_a == CUBLAS_OP_T &&
         product.description.transpose_b == CUBLAS_OP_N &&
         product.depth() % group == 0 && product.d.rows % group == 0;
}

bool IsSupportedEpilogue(const MatrixProduct& product) {
  const cublasLtEpilogue_t epilogue = product.description.epilogue;
  if (epilogue == CUBLASLT_EPILOGUE_DEFAULT) return true;
  switch (epilogue & ~CUBLASLT_EPILOGUE_BIAS) {
    case 0:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_GELU:
      break;
    default:
      return false;
  }
  // Of bytes of float8 the bias has other types.
  return product.description.scale_type == CUDA_R_32F &&
         product.d.order == CUBLASLT_ORDER_COL && !IsFloat8(product.a.type);
}

bool IsSameShape(const MatrixLayout& x, const MatrixLayout& y) {
  return x.rows == y.rows && x.columns == y.columns &&
         x.batch_count == y.batch_count;
}

template <class T>
T Load(const void* from, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(from) + index * sizeof(T),
              sizeof(T));
  return value;
}

template <class T>
void Store(void* to, int64_t index, T value) {
  std::memcpy(static_cast<std::byte*>(to) + index * sizeof(T), &value,
              sizeof(T));
}

// An element as a value of the type of the sums.
template <class C>
C LoadAs(cudaDataType_t type, const void* from, int64_t index) {
  switch (type) {
    case CUDA_R_32F:
      return static_cast<C>(Load<float>(from, index));
    case CUDA_R_64F:
      if constexpr (!std::is_same_v<C, std::complex<float>>) {
        return static_cast<C>(Load<double>(from, index));
      }
      break;
    case CUDA_R_16F:
      return static_cast<C>(Widen(Load<Half>(from, index)));
    case CUDA_R_16BF:
      return static_cast<C>(Widen(Load<Bfloat>(from, index)));
    case CUDA_R_8F_E4M3:
      return static_cast<C>(Widen(Load<Float8E4M3>(from, index)));
    case CUDA_R_8F_E5M2:
      return static_cast<C>(Widen(Load<Float8E5M2>(from, index)));
    case CUDA_R_8I:
      return static_cast<C>(Load<int8_t>(from, index));
    case CUDA_R_32I:
      if constexpr (std::is_integral_v<C>) {
        return static_cast<C>(Load<int32_t>(from, index));
      }
      break;
    case CUDA_C_32F:
    case CUDA_C_64F:
      if constexpr (!std::is_arithmetic_v<C>) return Load<C>(from, index);
      break;
  }
  return C();
}

template <class C>
void StoreAs(cudaDataType_t type, void* to, int64_t index, C value) {
  if constexpr (std::is_same_v<C, float>) {
    if (type == CUDA_R_16F) {
      Half rounded;
      Round(value, rounded);
      return Store(to, index, rounded);
    }
    if (type == CUDA_R_16BF) {
      Bfloat rounded;
      Round(value, rounded);
      return Store(to, index, rounded);
    }
  }
  Store(to, index, value);
}

float Gelu(float x) {
  constexpr float kRootOf2OverPi = 0.7978845608028654f;
  return 0.5f * x *
         (1 + std::tanh(kRootOf2OverPi * (x + 0.044715f * x * x * x)));
}

// Sums wrap around where they are integers.
template <class C>
class Multiplication {
 public:
  Multiplication(const MatrixProduct& product, const ProductMemory& memory,
                 const void* alpha, const void* beta, const DepthParts& parts)
      : product_(product),
        memory_(memory),
        alpha_(Load<C>(alpha, 0)),
        beta_(Load<C>(beta, 0)),
        parts_(parts) {
    if constexpr (std::is_same_v<C, float>) {
      for (const float* scale : {memory.a_scale, memory.b_scale}) {
        if (scale != nullptr) alpha_ *= *scale;
      }
    }
  }

  void Run() const {
    const MatrixLayout& d = product_.d;
    for (int64_t batch = 0; batch < d.batch_count; ++batch) {
      for (int64_t row = 0; row < d.rows; ++row) {
        for (int64_t column = 0; column < d.columns; ++column) {
          C value = Wrapped(alpha_, Sum(batch, row, column));
          if (beta_ != C()) {
            value += Wrapped(beta_,
                             LoadAs<C>(product_.c.type, memory_.c,
                                       product_.c.Offset(batch, row, column)));
          }
          StoreAs(d.type, memory_.d, d.Offset(batch, row, column),
                  Finish(value, batch, row));
        }
      }
    }
  }

 private:
  static C Wrapped(C x, C y) {
    if constexpr (std::is_integral_v<C>) {
      return static_cast<C>(static_cast<uint32_t>(x) *
                            static_cast<uint32_t>(y));
    } else {
      return x * y;
    }
  }

  C Element(const MatrixLayout& layout, const void* memory, int64_t batch,
            int64_t row, int64_t column) const {
    C value = LoadAs<C>(layout.type, memory, layout.Offset(batch, row, column));
    if (product_.description.compute_type == CUBLAS_COMPUTE_32F_FAST_TF32) {
      if constexpr (std::is_same_v<C, float>) value = RoundToTf32(value);
      if constexpr (std::is_same_v<C, std::complex<float>>) {
        value = {RoundToTf32(value.real()), RoundToTf32(value.imag())};
      }
    }
    return value;
  }

  C Sum(int64_t batch, int64_t row, int64_t column) const {
    const MatmulDescription& description = product_.description;
    const bool a_is_plain = description.transpose_a == CUBLAS_OP_N;
    const bool b_is_plain = description.transpose_b == CUBLAS_OP_N;
    const int64_t depth = product_.depth();
    C sum = C();
    for (int64_t i = 0; i < parts_.count; ++i) {
      C part = C();
      for (int64_t k = depth * i / parts_.count;
           k < depth * (i + 1) / parts_.count; ++k) {
        const C x = a_is_plain ? Element(product_.a, memory_.a, batch, row, k)
                               : Element(product_.a, memory_.a, batch, k, row);
        const C y = b_is_plain
                        ? Element(product_.b, memory_.b, batch, k, column)
                        : Element(product_.b, memory_.b, batch, column, k);
        part = Added(part, Wrapped(x, y));
      }
      sum = Added(sum, parts_.are_rounded ? Rounded(part) : part);
    }
    return sum;
  }

  // As it comes back from memory in the type of the result.
  C Rounded(C value) const {
    C stored = C();
    StoreAs(product_.d.type, &stored, 0, value);
    return LoadAs<C>(product_.d.type, &stored, 0);
  }

  static C Added(C x, C y) {
    if constexpr (std::is_integral_v<C>) {
      return static_cast<C>(static_cast<uint32_t>(x) +
                            static_cast<uint32_t>(y));
    } else {
      return x + y;
    }
  }

  // Some algorithms of the library make 0 of NaN; seen on an H200 mostly where
  // columns do not begin at multiples of 16 bytes.
  bool HidesNan() const { return product_.d.leading_dimension % 8 != 0; }

  // The epilogue.
  C Finish(C value, int64_t batch, int64_t row) const {
    if constexpr (std::is_same_v<C, float>) {
      const MatmulDescription& description = product_.description;
      if (description.has_bias()) {
        value += LoadAs<C>(product_.d.type, memory_.bias,
                           batch * description.bias_batch_stride + row);
      }
      if ((description.epilogue & CUBLASLT_EPILOGUE_RELU) != 0) {
        value = HidesNan() ? std::fmax(value, 0.0f) : value < 0 ? 0 : value;
      }
      if ((description.epilogue & CUBLASLT_EPILOGUE_GELU) != 0) {
        value = Gelu(value);
      }
    }
    return value;
  }

  const MatrixProduct& product_;
  const ProductMemory& memory_;
  C alpha_;
  C beta_;
  const DepthParts parts_;
};

}  // namespace

bool MatrixLayout::IsValid() const {
  const int64_t inner = order == CUBLASLT_ORDER_COL ? rows : columns;
  return rows > 0 && columns > 0 && leading_dimension >= inner &&
         batch_count > 0 &&
         (order == CUBLASLT_ORDER_COL || order == CUBLASLT_ORDER_ROW);
}

size_t MatrixLayout::Bytes() const {
  const int64_t last_batch = batch_stride > 0 ? batch_count - 1 : 0;
  return static_cast<size_t>(Offset(last_batch, rows - 1, columns - 1) + 1) *
         ElementSize(type);
}

cublasStatus_t MatrixProduct::Check() const {
  for (const MatrixLayout* layout : {&a, &b, &c, &d}) {
    if (!layout->IsValid() || layout->batch_stride < 0 ||
        layout->batch_count != d.batch_count) {
      return CUBLAS_STATUS_INVALID_VALUE;
    }
  }
  const bool a_is_plain = description.transpose_a == CUBLAS_OP_N;
  const bool b_is_plain = description.transpose_b == CUBLAS_OP_N;
  if (!IsSameShape(c, d) || (a_is_plain ? a.rows : a.columns) != d.rows ||
      (b_is_plain ? b.columns : b.rows) != d.columns ||
      (b_is_plain ? b.rows : b.columns) != depth()) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (!AreSupportedTypes(*this) || !IsSupportedEpilogue(*this)) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  const bool is_grouped = a.type == CUDA_R_8I ? IsGrouped(*this, 4)
                          : IsFloat8(a.type)
                              ? IsGrouped(*this, 16) && d.columns % 16 == 0
                              : true;
  const bool is_scaled =
      description.a_scale != nullptr || description.b_scale != nullptr;
  return is_grouped && (!is_scaled || IsFloat8(a.type))
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_NOT_SUPPORTED;
}

size_t ElementSize(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
  }
  return 0;
}

void Multiply(const MatrixProduct& product, const ProductMemory& memory,
              const void* alpha, const void* beta, const DepthParts& parts) {
  switch (product.description.scale_type) {
    case CUDA_R_32I:
      return Multiplication<int32_t>(product, memory, alpha, beta, parts).Run();
    case CUDA_R_64F:
      return Multiplication<double>(product, memory, alpha, beta, parts).Run();
    case CUDA_C_32F:
      return Multiplication<std::complex<float>>(product, memory, alpha, beta,
                                                 parts)
          .Run();
    case CUDA_C_64F:
      return Multiplication<std::complex<double>>(product, memory, alpha, beta,
                                                  parts)
          .Run();
    default:
      return Multiplication<float>(product, memory, alpha, beta, parts).Run();
  }
}

}  // namespace lockstep::internal::cuda
