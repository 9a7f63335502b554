#include "runtime/types/element_type.h"

#include <set>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(ElementType, NamesSizesAndKindsOfAllTypes) {
  std::set<absl::string_view> names;
  for (uint32_t number = 1; ElementTypeFromNumber(number).ok(); ++number) {
    const ElementType type = *ElementTypeFromNumber(number);
    EXPECT_EQ(static_cast<uint32_t>(type), number);
    EXPECT_EQ(*ParseStablehloName(StablehloName(type)), type);
    EXPECT_TRUE(names.insert(NumpyName(type)).second);
    DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
      EXPECT_EQ(ElementTypeOf<T>::value, type);
      EXPECT_EQ(static_cast<int64_t>(sizeof(T)), ByteSize(type));
    });
    EXPECT_EQ((type == ElementType::kPred) + IsSignedInteger(type) +
                  IsUnsignedInteger(type) + IsFloat(type) + IsSmallFloat(type) +
                  IsComplex(type),
              1);
  }
  EXPECT_EQ(StablehloName(ElementType::kU8), "ui8");
  EXPECT_EQ(NumpyName(ElementType::kC64), "complex64");
  EXPECT_EQ(RealType(ElementType::kC128), ElementType::kF64);
  EXPECT_EQ(RealType(ElementType::kS8), ElementType::kS8);
}

TEST(ElementType, NumbersThatNoTypeHasAreInvalid) {
  EXPECT_FALSE(ElementTypeFromNumber(0).ok());
  EXPECT_EQ(ElementTypeFromNumber(200).status(),
            absl::InvalidArgumentError("expected the number of an element "
                                       "type, 1 to 30, found 200"));
}

TEST(ElementType, UnknownNamesAreInvalidAndUnsupportedOnesUnimplemented) {
  EXPECT_EQ(ParseStablehloName("float").status(),
            absl::InvalidArgumentError(
                "expected an element type such as f32, i32 or complex<f32>, "
                "found \"float\""));
  EXPECT_EQ(ParseStablehloName("tf32").status(),
            absl::UnimplementedError("element type tf32 is not supported"));
  EXPECT_EQ(ParseStablehloName("!quant.uniform<i8:f32, 0.1>").status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace lockstep::internal
