#include "runtime/types/convert.h"

#include <algorithm>
#include <cstring>

#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

// All pairs of types but the small ones.
void ConvertNative(const LiteralView& from, const MutableLiteralView& to) {
  DispatchElementType(from.shape().element_type(),
                      [&]<typename From>(std::type_identity<From>) {
                        if constexpr (!kIsSmall<From>) {
                          DispatchElementType(
                              to.shape().element_type(),
                              [&]<typename To>(std::type_identity<To>) {
                                if constexpr (!kIsSmall<To>) {
                                  const absl::Span<const From> values =
                                      from.data<From>();
                                  std::transform(values.begin(), values.end(),
                                                 to.data<To>().begin(),
                                                 ConvertElement<To, From>);
                                }
                              });
                        }
                      });
}

// The type that holds all values of a small one.
ElementType WideType(ElementType small) {
  if (IsSmallFloat(small)) return ElementType::kF32;
  return IsSignedInteger(small) ? ElementType::kS8 : ElementType::kU8;
}

void Widen(const LiteralView& from, const MutableLiteralView& to) {
  DispatchElementType(
      from.shape().element_type(), [&]<typename T>(std::type_identity<T>) {
        if constexpr (kIsSmallFloat<T>) {
          const auto values = from.data<T>();
          std::transform(values.begin(), values.end(), to.data<float>().begin(),
                         [](T value) { return static_cast<float>(value); });
        } else if constexpr (kIsSmallInt<T>) {
          std::memcpy(to.bytes(), from.bytes(), from.byte_span().size());
        }
      });
}

// `from` is of f64, or of the type that ToNarrow gives.
void Narrow(const LiteralView& from, const MutableLiteralView& to) {
  const bool is_float = from.shape().element_type() == ElementType::kF64;
  DispatchElementType(
      to.shape().element_type(), [&]<typename T>(std::type_identity<T>) {
        if constexpr (kIsSmall<T>) {
          const absl::Span<T> results = to.data<T>();
          if (is_float) {
            const auto values = from.data<double>();
            std::transform(values.begin(), values.end(), results.begin(),
                           ConvertElement<T, double>);
          } else if constexpr (kIsSmallInt<T>) {
            const auto values = from.data<typename T::Byte>();
            std::transform(values.begin(), values.end(), results.begin(),
                           [](auto value) { return T(value); });
          }
        }
      });
}

// The type from which a small one is made: integers drop bits on the way,
// everything else goes through f64.
ElementType ToNarrow(ElementType from, ElementType to) {
  const bool is_integer = IsInteger(from) || from == ElementType::kPred;
  if (!IsSmallFloat(to) && is_integer) return WideType(to);
  return ElementType::kF64;
}

LiteralView Part(const LiteralView& view, int64_t first, int64_t count) {
  const ElementType type = view.shape().element_type();
  return LiteralView(Shape(type, {count}),
                     view.bytes() + first * ByteSize(type));
}
MutableLiteralView Part(const MutableLiteralView& view, int64_t first,
                        int64_t count) {
  const ElementType type = view.shape().element_type();
  return MutableLiteralView(Shape(type, {count}),
                            view.bytes() + first * ByteSize(type));
}

// At least one type is small.
void ConvertSmall(const LiteralView& from, const MutableLiteralView& to) {
  constexpr int64_t kBlock = 1024;
  const ElementType from_type = from.shape().element_type();
  const ElementType to_type = to.shape().element_type();
  const ElementType wide = IsSmall(from_type) ? WideType(from_type) : from_type;
  const ElementType narrow =
      IsSmall(to_type) ? ToNarrow(wide, to_type) : to_type;
  Literal wide_block(Shape(wide, {kBlock}));
  Literal narrow_block(Shape(narrow, {kBlock}));
  const int64_t total = from.shape().element_count();
  for (int64_t first = 0; first < total; first += kBlock) {
    const int64_t count = std::min(kBlock, total - first);
    LiteralView source = Part(from, first, count);
    if (IsSmall(from_type)) {
      const auto block = Part(wide_block.mutable_view(), 0, count);
      Widen(source, block);
      source = block;
    }
    const auto target = Part(to, first, count);
    if (!IsSmall(to_type)) {
      ConvertNative(source, target);
      continue;
    }
    const auto block = Part(narrow_block.mutable_view(), 0, count);
    ConvertNative(source, block);
    Narrow(block, target);
  }
}

}  // namespace

void ConvertElements(const LiteralView& from, const MutableLiteralView& to) {
  LOCKSTEP_CHECK(from.shape().dims() == to.shape().dims());
  const ElementType from_type = from.shape().element_type();
  const ElementType to_type = to.shape().element_type();
  if (from_type == to_type) {
    std::memcpy(to.bytes(), from.bytes(), from.byte_span().size());
  } else if (IsSmall(from_type) || IsSmall(to_type)) {
    ConvertSmall(from, to);
  } else {
    ConvertNative(from, to);
  }
}

}  // namespace lockstep::internal
