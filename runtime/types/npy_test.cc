#include "runtime/types/npy.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/types/canonical_elements.h"

namespace lockstep::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kUnimplemented = absl::StatusCode::kUnimplemented;

std::string Dict(absl::string_view descr, absl::string_view order,
                 absl::string_view shape) {
  return absl::StrCat("{'descr': '", descr, "', 'fortran_order': ", order,
                      ", 'shape': ", shape, ", }\n");
}

// A file of version 1.0 with this header.
std::string File(absl::string_view header, absl::string_view data) {
  std::string length = {static_cast<char>(header.size() & 0xFF),
                        static_cast<char>(header.size() >> 8)};
  return absl::StrCat("\x93NUMPY", std::string("\1\0", 2), length, header,
                      data);
}

template <typename T>
std::string Bytes(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), std::data(values), bytes.size());
  return bytes;
}

std::string Error(absl::string_view file, absl::StatusCode code) {
  const absl::Status status = ParseNpy(file).status();
  EXPECT_EQ(status.code(), code) << status;
  return std::string(status.message());
}

const std::string& GoodFile() {
  static const std::string& file =
      *new std::string(File(Dict("<f4", "False", "(2,)"), Bytes({1.0f, 2.0f})));
  return file;
}

TEST(SerializeNpy, WritesTheBytesThatNumpyWrites) {
  // numpy.save of numpy.array([[1, -2, 3]], dtype='<i2').
  EXPECT_EQ(SerializeNpy(Literal::FromValues<int16_t>({1, 3}, {1, -2, 3})),
            absl::StrCat(std::string("\x93NUMPY\x01\x00v\x00", 10),
                         "{'descr': '<i2', 'fortran_order': False, "
                         "'shape': (1, 3), }",
                         std::string(58, ' '), "\n",
                         std::string("\x01\x00\xfe\xff\x03\x00", 6)));
  EXPECT_THAT(SerializeNpy(Literal::Scalar(BF16(1.0f))),
              HasSubstr("{'descr': '<V2', 'fortran_order': False, "
                        "'shape': (), }"));
  EXPECT_THAT(SerializeNpy(Literal::FromValues<bool>({1}, {true})),
              HasSubstr("{'descr': '|b1', 'fortran_order': False, "
                        "'shape': (1,), }"));
}

TEST(Npy, EveryTypeAndShapeReadsBack) {
  std::mt19937_64 random(5);
  for (uint32_t t = 1; ElementTypeFromNumber(t).ok(); ++t) {
    const ElementType type = *ElementTypeFromNumber(t);
    for (const Dims& dims :
         {Dims{}, Dims{1}, Dims{7}, Dims{0}, Dims{3, 0, 2}, Dims{2, 3, 4},
          Dims{1, 1, 1, 1, 1, 2}, Dims{1000}}) {
      Literal literal(Shape(type, dims));
      for (std::byte& b : literal.mutable_view().byte_span()) {
        b = static_cast<std::byte>(random());
      }
      internal::CanonicalizeElements(literal.mutable_view());
      const std::string bytes = SerializeNpy(literal);
      EXPECT_EQ((bytes.size() - literal.shape().byte_size()) % 64, 0u);
      const absl::StatusOr<Literal> parsed = ParseNpy(bytes, type);
      ASSERT_TRUE(parsed.ok()) << parsed.status();
      EXPECT_EQ(*parsed, literal) << literal.shape();
    }
  }
}

TEST(Npy, BytesThatSayNothingAreReadAsASmallTypeOnly) {
  Literal literal(Shape(ElementType::kS4, {2}));
  const std::string bytes = SerializeNpy(literal);
  EXPECT_EQ(ParseNpy(bytes).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(ParseNpy(bytes, ElementType::kS8).status().code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(ParseNpy(bytes, ElementType::kF32).status().code(),
            absl::StatusCode::kUnimplemented);
  literal.mutable_bytes()[0] = std::byte(0xf7);
  const auto read = ParseNpy(SerializeNpy(literal), ElementType::kU4);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->bytes()[0], std::byte(7));
}

TEST(Npy, HeadersOver64KilobytesUseVersion2) {
  const Dims dims(30000, 1);
  const Literal literal(Shape(ElementType::kF32, dims));
  const std::string bytes = SerializeNpy(literal);
  EXPECT_EQ(bytes[6], 2);
  EXPECT_EQ(*ParseNpy(bytes), literal);
}

TEST(ParseNpy, AcceptsTheFreedomsOfTheHeader) {
  for (absl::string_view header :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n",
        "{'shape':(2,),'fortran_order':False,'descr':'<f4'}",
        "{\"descr\": \"=f4\", 'fortran_order': False, 'shape': (2L,)}   \n",
        "  {'descr': 'f4',\n 'fortran_order': True, 'shape': ( 2 , ) , } "}) {
    const auto literal = ParseNpy(File(header, Bytes({1.0f, 2.0f})));
    ASSERT_TRUE(literal.ok()) << literal.status();
    EXPECT_THAT(literal->data<float>(), ElementsAre(1, 2));
  }
}

TEST(ParseNpy, ReadsVersions2And3) {
  const std::string header = Dict("<f4", "False", "(1,)");
  for (char version : {'\2', '\3'}) {
    const std::string file = absl::StrCat(
        "\x93NUMPY", std::string(1, version), std::string(1, '\0'),
        Bytes({static_cast<uint32_t>(header.size())}), header, Bytes({7.0f}));
    EXPECT_THAT(ParseNpy(file)->data<float>(), ElementsAre(7));
  }
}

TEST(ParseNpy, ReadsFortranOrder) {
  const auto literal =
      ParseNpy(File(Dict("<i4", "True", "(2, 3)"), Bytes({0, 3, 1, 4, 2, 5})));
  EXPECT_THAT(literal->data<int32_t>(), ElementsAre(0, 1, 2, 3, 4, 5));
  const auto cube = ParseNpy(File(Dict("|u1", "True", "(2, 2, 2)"),
                                  Bytes<uint8_t>({0, 4, 2, 6, 1, 5, 3, 7})));
  EXPECT_THAT(cube->data<uint8_t>(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(
      ParseNpy(File(Dict("|u1", "True", "()"), "\x09"))->data<uint8_t>()[0], 9);
  EXPECT_TRUE(ParseNpy(File(Dict("<f8", "True", "(2, 0, 3)"), "")).ok());
}

TEST(ParseNpy, ReadsBigEndian) {
  EXPECT_THAT(ParseNpy(File(Dict(">i2", "False", "(2,)"),
                            std::string("\x01\x02\xff\xfe", 4)))
                  ->data<int16_t>(),
              ElementsAre(0x0102, -2));
  // The parts of a complex number are swapped each.
  EXPECT_THAT(ParseNpy(File(Dict(">c8", "False", "(1,)"),
                            std::string("\x3f\x80\0\0\x40\0\0\0", 8)))
                  ->data<std::complex<float>>(),
              ElementsAre(std::complex<float>(1, 2)));
  EXPECT_EQ(ParseNpy(File(Dict(">f2", "False", "()"), std::string("\x3c\0", 2)))
                ->data<F16>()[0]
                .bits,
            0x3C00);
}

TEST(ParseNpy, ReadsBfloat16AndBooleans) {
  EXPECT_EQ(ParseNpy(File(Dict("<V2", "False", "()"), std::string("\x80\x3f")))
                ->data<BF16>()[0]
                .bits,
            0x3F80);
  EXPECT_EQ(ParseNpy(File(Dict("|V2", "False", "()"), "\x80\x3f"))
                ->shape()
                .element_type(),
            ElementType::kBF16);
  // Any byte but 0 is true, and 1 in memory.
  const auto booleans =
      ParseNpy(File(Dict("?", "False", "(3,)"), std::string("\0\x01\x7f", 3)));
  const absl::Span<const std::byte> bytes = booleans->byte_span();
  EXPECT_EQ(booleans->shape(), Shape(ElementType::kPred, {3}));
  EXPECT_THAT(std::vector<std::byte>(bytes.begin(), bytes.end()),
              ElementsAre(std::byte{0}, std::byte{1}, std::byte{1}));
}

TEST(ParseNpy, EveryCutOffFileIsAnError) {
  const std::string& file = GoodFile();
  ASSERT_TRUE(ParseNpy(file).ok());
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_EQ(ParseNpy(absl::string_view(file).substr(0, size)).status().code(),
              kInvalid)
        << size;
  }
  EXPECT_EQ(Error(file.substr(0, 9), kInvalid),
            "npy: the header ends too early: expected 10 bytes, found 9");
  EXPECT_EQ(Error(file.substr(0, 20), kInvalid),
            absl::StrCat("npy: the header ends too early: expected ",
                         file.size() - 8, " bytes, found 20"));
}

TEST(ParseNpy, AWrongNumberOfBytesNamesBothCounts) {
  const std::string& file = GoodFile();
  EXPECT_EQ(Error(file.substr(0, file.size() - 1), kInvalid),
            "npy: expected 8 bytes of data for tensor<2xf32>, found 7");
  EXPECT_EQ(Error(file + "x", kInvalid),
            "npy: expected 8 bytes of data for tensor<2xf32>, found 9");
}

TEST(ParseNpy, WrongMagicAndVersionAreNamed) {
  EXPECT_EQ(Error("1.5,2.5\n", kInvalid),
            "npy: expected the magic \"\\x93NUMPY\", found \"1.5,2.\"");
  EXPECT_EQ(Error("", kInvalid),
            "npy: the header ends too early: expected 8 bytes, found 0");
  std::string file = GoodFile();
  file[6] = 4;
  EXPECT_EQ(Error(file, kInvalid),
            "npy: expected version 1.0, 2.0 or 3.0, found 4.0");
  file[6] = 0;
  EXPECT_THAT(Error(file, kInvalid), HasSubstr("found 0.0"));
}

TEST(ParseNpy, DamagedHeadersAreInvalid) {
  for (absl::string_view header : {
           "",
           "\n",
           "[]",
           "{",
           "{}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), ",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
           "{'descr': '<f4', 'fortran_order': False}",
           "{'descr': '<f4', 'shape': (2,)}",
           "{'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}",
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, "
           "'shape': (2,)}",
           "{'descr' '<f4', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}",
           "{'descr: '<f4', 'fortran_order': False, 'shape': (2,)}",
           "{descr: '<f4', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': <f4, 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': [2]}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2.0,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
       }) {
    EXPECT_THAT(Error(File(header, Bytes({1.0f, 2.0f})), kInvalid),
                StartsWith("npy header: "))
        << header;
  }
  EXPECT_EQ(Error(File("{'descr': '<f4', 'shape': (2,)}", ""), kInvalid),
            "npy header: expected the key 'fortran_order', found none");
  EXPECT_EQ(
      Error(File("{'descr': '<f4', 'fortran_order': Maybe}", ""), kInvalid),
      "npy header: expected True or False at offset 34, found \"Maybe}\"");
}

TEST(ParseNpy, ShapesThatOverflowAreInvalid) {
  for (absl::string_view shape :
       {"(9223372036854775808,)", "(99999999999999999999999,)",
        "(4611686018427387904,)", "(4294967296, 4294967296)",
        "(0, 4294967296, 4294967296)"}) {
    EXPECT_THAT(Error(File(Dict("<f4", "False", shape), ""), kInvalid),
                StartsWith("npy header: "))
        << shape;
  }
  // A size that no machine has is found out by the missing data.
  EXPECT_THAT(Error(File(Dict("<f4", "True", "(2305843009213693951,)"), "ab"),
                    kInvalid),
              HasSubstr("expected 9223372036854775804 bytes of data"));
}

// As ml_dtypes writes them: numpy.save of float8_e4m3fn, int4 and float8_e5m2.
TEST(ParseNpy, BytesThatSayNothingAreOfTheTypeThatTheCallerNames) {
  const std::string file = File(Dict("<V1", "False", "(3,)"), "\x38\xb8\x0f");
  EXPECT_EQ(ParseNpy(file, ElementType::kF8E4M3FN).value(),
            Literal::FromValues<F8E4M3FN>(
                {3}, {F8E4M3FN(1.0), F8E4M3FN(-1.0), F8E4M3FN(0.029296875)}));
  EXPECT_EQ(ParseNpy(file, ElementType::kS4).value(),
            Literal::FromValues<S4>(
                {3}, {S4(int8_t{-8}), S4(int8_t{-8}), S4(int8_t{-1})}));
  EXPECT_EQ(ParseNpy(File(Dict("<f1", "False", "(2,)"), "\x3c\xbc")).value(),
            Literal::FromValues<F8E5M2>({2}, {F8E5M2(1.0), F8E5M2(-1.0)}));
  for (const std::optional<ElementType> type :
       {std::optional<ElementType>(), std::optional(ElementType::kF32)}) {
    const absl::Status status = ParseNpy(file, type).status();
    EXPECT_EQ(status.code(), kUnimplemented);
    EXPECT_EQ(status.message(),
              absl::StrCat("npy header: elements of \"<V1\" are bytes that do "
                           "not say of which type: expected to be told one "
                           "that NumPy does not have, such as float8_e4m3fn or "
                           "int4",
                           type.has_value() ? ", found float32" : ""));
  }
}

TEST(ParseNpy, SmallTypesAreReadAsTheyWereWritten) {
  const auto floats =
      Literal::FromValues<F8E5M2>({2}, {F8E5M2(1.5), F8E5M2(-3.0)});
  const std::string bytes = SerializeNpy(floats);
  EXPECT_THAT(bytes, HasSubstr("'descr': '|V1'"));
  EXPECT_EQ(ParseNpy(bytes, ElementType::kF8E5M2).value(), floats);
  const auto integers =
      Literal::FromValues<S4>({2}, {S4(int8_t{-8}), S4(int8_t{7})});
  EXPECT_EQ(ParseNpy(SerializeNpy(integers), ElementType::kS4).value(),
            integers);
}

TEST(ParseNpy, TypesThatLockstepDoesNotHaveAreUnimplemented) {
  for (absl::string_view descr :
       {"<U8", "|S5", "|O", "<M8[ns]", "<m8", "|V3", "<f16", "<c32", "|V1"}) {
    EXPECT_THAT(Error(File(Dict(descr, "False", "(1,)"), ""), kUnimplemented),
                HasSubstr(descr));
  }
  EXPECT_EQ(
      Error(File("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': "
                 "(1,)}",
                 "abcd"),
            kUnimplemented),
      "npy header: structured types are not supported");
  for (absl::string_view descr : {"", "<", "float", "<x4", "4", "<f4 "}) {
    EXPECT_THAT(Error(File(Dict(descr, "False", "(1,)"), ""), kInvalid),
                HasSubstr("expected a type such as \"<f4\""));
  }
}

}  // namespace
}  // namespace lockstep::internal
