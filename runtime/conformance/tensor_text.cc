#include "runtime/conformance/tensor_text.h"

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

template <typename T>
struct IsStdComplex : std::false_type {};
template <typename T>
struct IsStdComplex<std::complex<T>> : std::true_type {};

// Six digits behind the point, or as many as read back to the same value.
std::string FloatText(double value, bool is_single) {
  std::string text;
  for (int digits = 6; digits <= 17; ++digits) {
    text = absl::StrFormat("%.*e", digits, value);
    const double read = std::strtod(text.c_str(), nullptr);
    const bool is_same =
        is_single ? static_cast<float>(read) == static_cast<float>(value)
                  : read == value;
    if (is_same) break;
  }
  return text;
}

template <typename T>
std::string ElementText(T value) {
  if constexpr (IsStdComplex<T>::value) {
    return absl::StrCat("[", ElementText(value.real()), ", ",
                        ElementText(value.imag()), "]");
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    return absl::StrCat(+value);
  } else {
    const ElementType type = ElementTypeOf<T>::value;
    if (IsInteger(type)) {
      return absl::StrCat(ConvertElement<int64_t>(value));
    }
    return FloatText(ConvertElement<double>(value), !std::is_same_v<T, double>);
  }
}

class TensorPrinter {
 public:
  explicit TensorPrinter(const LiteralView& tensor)
      : tensor_(tensor), size_(ByteSize(tensor.shape().element_type())) {}

  std::string Print() {
    const Shape& shape = tensor_.shape();
    text_ = absl::StrCat(shape.ToString(), " {");
    if (shape.rank() == 0) return absl::StrCat(text_, Element(), "}");
    absl::StrAppend(&text_, "\n");
    Append(0);
    return absl::StrCat(text_, "\n}");
  }

 private:
  std::string Element() {
    const std::byte* at = tensor_.bytes() + size_ * next_++;
    return DispatchElementType(
        tensor_.shape().element_type(),
        [&]<typename T>(std::type_identity<T>) -> std::string {
          T value;
          std::memcpy(&value, at, sizeof(T));
          return ElementText(value);
        });
  }

  void Append(int64_t dim) {
    const int64_t count = tensor_.shape().dim(dim);
    const bool is_row = dim + 1 == tensor_.shape().rank() || count == 0;
    const std::string indent(2 * (dim + 1), ' ');
    absl::StrAppend(&text_, indent, "[");
    for (int64_t i = 0; i < count; ++i) {
      absl::StrAppend(&text_, i == 0 ? "" : ",");
      if (is_row) {
        absl::StrAppend(&text_, i == 0 ? "" : " ", Element());
      } else {
        absl::StrAppend(&text_, "\n");
        Append(dim + 1);
      }
    }
    if (!is_row) absl::StrAppend(&text_, "\n", indent);
    absl::StrAppend(&text_, "]");
  }

  const LiteralView& tensor_;
  const int64_t size_;
  int64_t next_ = 0;
  std::string text_;
};

}  // namespace

std::string TensorText(const LiteralView& tensor) {
  return TensorPrinter(tensor).Print();
}

}  // namespace lockstep::internal
