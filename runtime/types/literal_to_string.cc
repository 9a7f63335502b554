#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "runtime/types/convert.h"
#include "runtime/types/decimal.h"
#include "runtime/types/literal.h"

namespace lockstep {

using internal::ConvertElements;
using internal::Decimal;
using internal::ShortestDecimal;

namespace {

// The numbers of numpy.set_printoptions.
constexpr int64_t kThreshold = 1000;
constexpr int64_t kEdgeItems = 3;
constexpr size_t kLineWidth = 75;

// One number as it stands alone.
struct NumberText {
  std::string whole;      // with a sign
  std::string fraction;   // without the point
  std::string exponent;   // "e+10" or ""
  bool is_finite = true;  // else `whole` is all: "nan", "-inf"
};

template <typename T>
NumberText TextOfFloat(T value, bool scientific) {
  const double wide = static_cast<double>(value);
  if (std::isnan(wide)) return {"nan", "", "", false};
  if (std::isinf(wide)) return {wide > 0 ? "inf" : "-inf", "", "", false};
  const Decimal decimal = ShortestDecimal(value);
  const std::string sign = decimal.negative ? "-" : "";
  std::string digits = decimal.digits.empty() ? "0" : decimal.digits;
  // Digits before the point.
  const int64_t point = decimal.digits.empty() ? 1 : decimal.exponent;
  if (scientific) {
    return {sign + digits.substr(0, 1), digits.substr(1),
            absl::StrFormat("e%+03d", point - 1)};
  }
  if (point <= 0) return {sign + "0", std::string(-point, '0') + digits, ""};
  if (static_cast<int64_t>(digits.size()) < point) digits.resize(point, '0');
  return {sign + digits.substr(0, point), digits.substr(point), ""};
}

// Formats floats of one array alike: points below each other.
template <typename T>
class FloatColumn {
 public:
  FloatColumn(absl::Span<const T> values, bool force_sign)
      : force_sign_(force_sign) {
    double largest = 0;
    double smallest = 0;
    for (T value : values) {
      const double magnitude = std::fabs(static_cast<double>(value));
      if (!std::isfinite(magnitude) || magnitude == 0) continue;
      largest = std::max(largest, magnitude);
      smallest = smallest == 0 ? magnitude : std::min(smallest, magnitude);
    }
    scientific_ = largest != 0 && (largest >= 1e8 || smallest < 1e-4 ||
                                   largest / smallest > 1000);
    size_t special = 0;
    for (T value : values) {
      const NumberText text = Text(value);
      if (!text.is_finite) {
        special = std::max(special, text.whole.size());
        continue;
      }
      whole_ = std::max(whole_, text.whole.size());
      fraction_ = std::max(fraction_, text.fraction.size());
      exponent_ = std::max(exponent_, text.exponent.size());
    }
    // Special values have no point and may be longer.
    if (special > Width()) whole_ += special - Width();
  }

  std::string operator()(T value) const {
    const NumberText text = Text(value);
    std::string result = text.is_finite
                             ? absl::StrCat(text.whole, ".", text.fraction)
                             : text.whole;
    if (!text.is_finite) {
      return std::string(Width() - std::min(Width(), result.size()), ' ') +
             result;
    }
    // NumPy fills scientific numbers with zeros and others with blanks.
    result.insert(0, whole_ - text.whole.size(), ' ');
    result.append(fraction_ - text.fraction.size(), scientific_ ? '0' : ' ');
    if (scientific_) {
      result += text.exponent.substr(0, 2);
      result.append(exponent_ - text.exponent.size(), '0');
      result += text.exponent.substr(2);
    }
    return result;
  }

 private:
  size_t Width() const { return whole_ + 1 + fraction_ + exponent_; }
  NumberText Text(T value) const {
    NumberText text = TextOfFloat(value, scientific_);
    if (force_sign_ && text.whole[0] != '-') text.whole.insert(0, "+");
    return text;
  }

  const bool force_sign_;
  bool scientific_ = false;
  size_t whole_ = 0;
  size_t fraction_ = 0;
  size_t exponent_ = 0;
};

template <typename T>
constexpr bool kIsComplex = false;
template <typename T>
constexpr bool kIsComplex<std::complex<T>> = true;

template <typename T>
std::vector<std::string> ComplexWords(
    const std::vector<std::complex<T>>& values) {
  std::vector<T> real;
  std::vector<T> imaginary;
  for (const std::complex<T>& value : values) {
    real.push_back(value.real());
    imaginary.push_back(value.imag());
  }
  const FloatColumn<T> real_column(real, false);
  const FloatColumn<T> imaginary_column(imaginary, true);
  std::vector<std::string> words;
  for (size_t i = 0; i < values.size(); ++i) {
    std::string word = imaginary_column(imaginary[i]);
    word.insert(word.find_last_not_of(' ') + 1, "j");
    words.push_back(real_column(real[i]) + word);
  }
  return words;
}

// The elements as words of one width.
template <typename T>
std::vector<std::string> Words(const std::vector<T>& values) {
  std::vector<std::string> words;
  if constexpr (kIsComplex<T>) {
    return ComplexWords(values);
  } else if constexpr (std::is_same_v<T, bool>) {
    for (bool value : values) words.push_back(value ? " True" : "False");
  } else if constexpr (std::is_integral_v<T>) {
    size_t width = 0;
    for (T value : values) {
      words.push_back(absl::StrCat(+value));
      width = std::max(width, words.back().size());
    }
    for (std::string& word : words) word.insert(0, width - word.size(), ' ');
  } else {
    const FloatColumn<T> column(values, false);
    for (T value : values) words.push_back(column(value));
  }
  return words;
}

template <typename T>
std::string ScalarFloat(T value) {
  const double magnitude = std::fabs(static_cast<double>(value));
  const bool scientific =
      magnitude != 0 && (magnitude >= 1e16 || magnitude < 1e-4);
  const NumberText text = TextOfFloat(value, scientific);
  if (!text.is_finite) return text.whole;
  if (!scientific) {
    return absl::StrCat(text.whole, ".",
                        text.fraction.empty() ? "0" : text.fraction);
  }
  return absl::StrCat(text.whole, text.fraction.empty() ? "" : ".",
                      text.fraction, text.exponent);
}

template <typename T>
std::string ScalarText(T value) {
  if constexpr (kIsComplex<T>) {
    const auto part = [](auto v) {
      return std::string(absl::StripSuffix(ScalarFloat(v), ".0"));
    };
    std::string imaginary = part(value.imag());
    if (imaginary[0] != '-') imaginary.insert(0, "+");
    return absl::StrCat("(", part(value.real()), imaginary, "j)");
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "True" : "False";
  } else if constexpr (std::is_integral_v<T>) {
    return absl::StrCat(+value);
  } else {
    return ScalarFloat(value);
  }
}

// The nested brackets around words, wrapped at kLineWidth.
class Layout {
 public:
  Layout(const Shape& shape, bool shortened)
      : shape_(shape), strides_(shape.Strides()), shortened_(shortened) {}

  // The flat indices of the elements that are shown, in order.
  void CollectShown(int64_t axis, int64_t offset,
                    std::vector<int64_t>& shown) const {
    if (axis == shape_.rank()) {
      shown.push_back(offset);
      return;
    }
    for (int64_t i : Indices(axis)) {
      if (i >= 0) CollectShown(axis + 1, offset + i * strides_[axis], shown);
    }
  }

  // Takes words from the front of `words`.
  std::string Format(int64_t axis, const std::string& indent, size_t width,
                     absl::Span<const std::string>& words) const {
    return axis == shape_.rank() - 1 ? FormatRow(indent, width, words)
                                     : FormatOuter(axis, indent, width, words);
  }

 private:
  // The indices shown of an axis; -1 stands for those left out.
  std::vector<int64_t> Indices(int64_t axis) const {
    const int64_t size = shape_.dim(axis);
    std::vector<int64_t> indices;
    const bool cut = shortened_ && size > 2 * kEdgeItems;
    for (int64_t i = 0; i < size; ++i) {
      if (cut && i == kEdgeItems) {
        indices.push_back(-1);
        i = size - kEdgeItems;
      }
      indices.push_back(i);
    }
    return indices;
  }

  std::string FormatRow(const std::string& indent, size_t width,
                        absl::Span<const std::string>& words) const {
    const size_t room = width - std::min<size_t>(width, 1);
    std::string text;
    std::string line = indent;
    bool is_first = true;
    for (int64_t i : Indices(shape_.rank() - 1)) {
      if (!is_first) line += " ";
      is_first = false;
      std::string word = "...";
      if (i >= 0) {
        word = words.front();
        words.remove_prefix(1);
      }
      if (line.size() + word.size() > room && line.size() > indent.size()) {
        absl::StrAppend(&text, absl::StripTrailingAsciiWhitespace(line), "\n");
        line = indent;
      }
      line += word;
    }
    text += line;
    return "[" + text.substr(indent.size()) + "]";
  }

  std::string FormatOuter(int64_t axis, const std::string& indent, size_t width,
                          absl::Span<const std::string>& words) const {
    const std::string separator(shape_.rank() - axis - 1, '\n');
    std::string text;
    for (int64_t i : Indices(axis)) {
      absl::StrAppend(&text, text.empty() ? "" : separator, indent,
                      i < 0
                          ? "..."
                          : Format(axis + 1, indent + " ",
                                   width - std::min<size_t>(width, 1), words));
    }
    return "[" + text.substr(indent.size()) + "]";
  }

  const Shape& shape_;
  const Dims strides_;
  const bool shortened_;
};

}  // namespace

std::string ToString(const LiteralView& literal) {
  const Shape& shape = literal.shape();
  return DispatchElementType(
      shape.element_type(),
      [&]<typename T>(std::type_identity<T>) -> std::string {
        if constexpr (kIsSmall<T>) {
          Literal wide(
              Shape(kIsSmallFloat<T> ? ElementType::kF32 : ElementType::kS32,
                    shape.dims()));
          ConvertElements(literal, wide.mutable_view());
          return ToString(wide);
        } else {
          const absl::Span<const T> data = literal.data<T>();
          if (shape.rank() == 0) return ScalarText(data[0]);
          if (shape.element_count() == 0) return "[]";
          const Layout layout(shape, shape.element_count() > kThreshold);
          std::vector<int64_t> shown;
          layout.CollectShown(0, 0, shown);
          std::vector<T> values;
          for (int64_t i : shown) values.push_back(data[i]);
          const std::vector<std::string> words = Words(values);
          absl::Span<const std::string> rest = words;
          return layout.Format(0, " ", kLineWidth, rest);
        }
      });
}

}  // namespace lockstep
