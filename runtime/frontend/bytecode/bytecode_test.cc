// Files written by hand: what they mean, and what is wrong with them.
#include "runtime/frontend/bytecode/bytecode.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/bytecode/bytecode_testing.h"
#include "runtime/frontend/bytecode/unsupported_op.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Fields of an op.
constexpr int kAttributes = 0x01;
constexpr int kResults = 0x02;
constexpr int kOperands = 0x04;
constexpr int kSuccessors = 0x08;
constexpr int kRegions = 0x10;
constexpr int kProperties = 0x40;

void ExpectError(const std::string& file, absl::StatusCode code,
                 absl::string_view message) {
  const absl::Status status = ReadBytecode(file, "f").status();
  EXPECT_EQ(status.code(), code) << status;
  EXPECT_THAT(
      std::string(status.message()),
      testing::AllOf(StartsWith("f:"), HasSubstr(std::string(message))));
}
void ExpectInvalid(const std::string& file, absl::string_view message) {
  ExpectError(file, absl::StatusCode::kInvalidArgument, message);
}
void ExpectUnimplemented(const std::string& file, absl::string_view message) {
  ExpectError(file, absl::StatusCode::kUnimplemented, message);
}

// A constant of tensor<2xi32> with this attribute, which has a type of its own.
std::string ConstantOf(TestBytecode& file, uint64_t type, uint64_t value) {
  return file.Op("vhlo.constant_v1", kProperties | kResults,
                 absl::StrCat(Varint(file.Properties(Varint(value))), Varint(1),
                              Varint(type)));
}
// The type tensor<count x element>.
uint64_t TensorType(TestBytecode& file, int64_t count, int element_code) {
  const uint64_t element = file.VhloType(Varint(element_code));
  return file.VhloType(absl::StrCat(Varint(20), Varint(1), SignedVarint(count),
                                    Varint(element)));
}
uint64_t Tensor(TestBytecode& file, uint64_t type, const std::string& blob) {
  return file.VhloAttribute(
      absl::StrCat(Varint(15), Varint(type), Varint(blob.size()), blob));
}

// What a constant of these bytes prints as.
std::string Constant(int64_t count, int element_code, const std::string& blob) {
  TestBytecode file;
  const uint64_t type = TensorType(file, count, element_code);
  const std::string constant = ConstantOf(file, type, Tensor(file, type, blob));
  const std::string result = file.Op("vhlo.return_v1", 0);
  const auto module = ReadBytecode(
      file.File({file.Function("main", 1, {constant, result})}), "f");
  if (!module.ok()) return std::string(module.status().message());
  const std::string text = Print(*(*module)->functions()[0]->body().ops()[0]);
  return text.substr(text.find("dense"));
}

TEST(Bytecode, EmptyFunction) {
  TestBytecode file;
  const auto module = ReadBytecode(
      file.File({file.Function("main", 0, {file.Op("vhlo.return_v1", 0)})}),
      "f");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(Print(**module), R"(module {
  func.func public @main() {
    return
  }
}
)");
}

TEST(Bytecode, Elements) {
  constexpr int kI1 = 0, kF32 = 4, kI4 = 10, kI8 = 11, kU4 = 15, kU8 = 16;
  const std::string one = std::string("\0\0\x80\x3F", 4);
  EXPECT_EQ(Constant(3, kF32, one), "dense<1.0> : tensor<3xf32>");
  EXPECT_EQ(Constant(2, kI8, "\x01\xFF"), "dense<[1, -1]> : tensor<2xi8>");
  EXPECT_EQ(Constant(2, kU8, "\x01\xFF"), "dense<[1, 255]> : tensor<2xui8>");
  EXPECT_EQ(Constant(0, kI8, ""), "dense<> : tensor<0xi8>");
  EXPECT_EQ(Constant(0, kI8, "\x07"), "dense<7> : tensor<0xi8>");
  // One byte for all; bits; bytes.
  EXPECT_EQ(Constant(3, kI1, "\xFF"), "dense<true> : tensor<3xi1>");
  EXPECT_EQ(Constant(9, kI1, std::string(1, '\0')),
            "dense<false> : tensor<9xi1>");
  EXPECT_EQ(Constant(2, kI1, std::string(1, '\0')),
            "dense<false> : tensor<2xi1>");
  EXPECT_EQ(Constant(3, kI1, "\x05"),
            "dense<[true, false, true]> : tensor<3xi1>");
  EXPECT_EQ(Constant(3, kI1, std::string("\1\0\2", 3)),
            "dense<[true, false, true]> : tensor<3xi1>");
  // The bits beside a small number do not count.
  EXPECT_EQ(Constant(2, kI4, "\x0F\xF7"), "dense<[-1, 7]> : tensor<2xi4>");
  EXPECT_EQ(Constant(2, kU4, "\x0F\xF7"), "dense<[15, 7]> : tensor<2xui4>");
  EXPECT_THAT(Constant(3, kI8, "\x01\x02"),
              HasSubstr("expected 3 bytes for tensor<3xi8>, or 1 for all its "
                        "elements, found 2"));
  // No memory is needed for all of them.
  EXPECT_EQ(Constant(int64_t{1} << 40, kI8, "\x07"),
            "dense<7> : tensor<1099511627776xi8>");
}

TEST(Bytecode, UnsupportedVersions) {
  TestBytecode file;
  file.version = 7;
  ExpectUnimplemented(file.File({}), "bytecode of version 7 is not supported");
  ExpectInvalid("module {}", "expected MLIR bytecode");
}

TEST(Bytecode, UnknownOps) {
  const auto file_of = [](absl::string_view name) {
    TestBytecode file;
    return file.File({file.Function("main", 0, {file.Op(name, 0)})});
  };
  ExpectUnimplemented(file_of("vhlo.rng_v1"),
                      "op vhlo.rng_v1 is not supported");
  ExpectUnimplemented(file_of("vhlo.nonsense_v1"),
                      "op vhlo.nonsense_v1 is not supported");
  ExpectUnimplemented(file_of("builtin.nonsense"),
                      "op builtin.nonsense is not supported");
  TestBytecode other;
  ExpectUnimplemented(other.File({other.Op("vhlo.add_v1", 0)}),
                      "op vhlo.add_v1 is not supported in a module");
}

TEST(Bytecode, OpsOfPlainMlirSayWhatIsPortable) {
  EXPECT_THAT(std::string(UnsupportedOp(Location(), "func.func").message()),
              HasSubstr("op func.func is not supported: expected portable "
                        "bytecode, whose ops are of vhlo"));
  EXPECT_THAT(std::string(UnsupportedOp(Location(), "vhlo.rng_v1").message()),
              testing::EndsWith("op vhlo.rng_v1 is not supported"));
}

TEST(Bytecode, PropertiesOfAnUnknownVersion) {
  TestBytecode file;
  const uint64_t properties = file.Properties(Varint(0));
  ExpectUnimplemented(
      file.File({file.Function(
          "main", 0,
          {file.Op("vhlo.add_v2", kProperties, Varint(properties))})}),
      "op vhlo.add_v2 is not supported");
}

TEST(Bytecode, PropertiesOfAnotherNumber) {
  TestBytecode file;
  const uint64_t properties = file.Properties(Varint(0) + Varint(0));
  ExpectInvalid(file.File({file.Function("main", 0,
                                         {file.Op("vhlo.iota_v1", kProperties,
                                                  Varint(properties))})}),
                "expected the end of the properties, found 1 more bytes");
}

TEST(Bytecode, ValuesAreDefinedBeforeTheyAreUsed) {
  TestBytecode file;
  const std::string result =
      file.Op("vhlo.return_v1", kOperands, Varint(1) + Varint(0));
  ExpectInvalid(file.File({file.Function("main", 1, {result})}),
                "expected a value that is defined before, found number 0");
}

TEST(Bytecode, MoreValuesThanTheRegionSays) {
  TestBytecode file;
  const uint64_t type = TensorType(file, 2, 11);
  const std::string constant =
      ConstantOf(file, type, Tensor(file, type, "\x01"));
  ExpectInvalid(file.File({file.Function("main", 0, {constant})}),
                "expected 0 values in a region, found more");
  // A number that is too large costs nothing.
  const std::string result = file.Op("vhlo.return_v1", 0);
  EXPECT_TRUE(ReadBytecode(file.File({file.Function("main", uint64_t{1} << 62,
                                                    {constant, result})}),
                           "f")
                  .ok());
}

TEST(Bytecode, BlocksAndBranches) {
  TestBytecode file;
  ExpectUnimplemented(
      file.File({file.Function(
          "main", 0,
          {file.Op("vhlo.return_v1", kSuccessors, Varint(1) + Varint(0))})}),
      "branches to other blocks are not supported");
  TestBytecode blocks;
  const std::string op =
      blocks.Op("vhlo.case_v1", kRegions, Flagged(1, false) + Varint(2));
  ExpectUnimplemented(blocks.File({blocks.Function("main", 0, {op})}),
                      "regions with several blocks are not supported");
}

TEST(Bytecode, DeepNesting) {
  TestBytecode file;
  std::string op = file.Op("vhlo.return_v1", 0);
  for (int i = 0; i < 300; ++i) {
    op = file.Op("vhlo.case_v1", kRegions,
                 Flagged(1, false) + TestBytecode::Region(0, {op}));
  }
  ExpectInvalid(file.File({file.Function("main", 0, {op})}),
                "expected at most 256 levels of nesting");
}

// A module with an empty function that has this attribute.
std::string FileWithAttribute(TestBytecode& file, uint64_t name,
                              uint64_t value) {
  const uint64_t dictionary = file.BuiltinAttribute(
      absl::StrCat(Varint(1), Varint(1), Varint(name), Varint(value)));
  const std::string body = TestBytecode::Isolated({TestBytecode::Region(
      0, {file.Function("main", 0, {file.Op("vhlo.return_v1", 0)})})});
  return file.FileOf(absl::StrCat(
      Flagged(1, false), file.Op("builtin.module", kAttributes | kRegions,
                                 absl::StrCat(Varint(dictionary), body))));
}

// What an attribute prints as, which `make` adds to the file.
template <typename F>
std::string AttributeText(F make) {
  TestBytecode file;
  const uint64_t name =
      file.BuiltinAttribute(Varint(2) + Varint(file.String("name")));
  const uint64_t value = make(file);
  const auto module = ReadBytecode(FileWithAttribute(file, name, value), "f");
  if (!module.ok()) return std::string(module.status().message());
  return Print(*(*module)->attributes().Find("name"));
}

TEST(Bytecode, Numbers) {
  const auto integer = [](int type_code, const std::string& bytes) {
    return AttributeText([&](TestBytecode& file) {
      const uint64_t type = file.VhloType(Varint(type_code));
      return file.VhloAttribute(absl::StrCat(Varint(9), Varint(type), bytes));
    });
  };
  constexpr int kI1 = 0, kIndex = 9, kI8 = 11, kI32 = 13, kU8 = 16, kU64 = 19;
  EXPECT_EQ(integer(kI1, "\x01"), "true");
  EXPECT_EQ(integer(kI8, "\xFF"), "-1 : i8");
  EXPECT_EQ(integer(kU8, "\xFF"), "255 : ui8");
  // Bits as a number without a sign, whatever the type.
  EXPECT_EQ(integer(kI32, SignedVarint(0xFFFFFFFE)), "-2 : i32");
  EXPECT_EQ(integer(kU64, SignedVarint(-1)), "18446744073709551615 : ui64");
  EXPECT_EQ(integer(kIndex, SignedVarint(7)), "7 : index");
  EXPECT_THAT(integer(4, SignedVarint(7)),
              HasSubstr("expected an integer type, found f32"));
}

TEST(Bytecode, AxesOfReplicaGroups) {
  EXPECT_EQ(AttributeText([](TestBytecode& file) {
              const uint64_t axis = file.VhloAttribute(
                  absl::StrCat(Varint(14), Varint(file.String("x"))));
              const uint64_t sub_axis = file.VhloAttribute(
                  absl::StrCat(Varint(21), SignedVarint(1), SignedVarint(2)));
              const uint64_t part = file.VhloAttribute(absl::StrCat(
                  Varint(22), Varint(axis), Varint(1), Varint(sub_axis)));
              const uint64_t whole = file.VhloAttribute(
                  absl::StrCat(Varint(22), Varint(axis), Varint(0)));
              const uint64_t refs = file.VhloAttribute(absl::StrCat(
                  Varint(1), Varint(2), Varint(part), Varint(whole)));
              const uint64_t mesh = file.VhloAttribute(
                  absl::StrCat(Varint(14), Varint(file.String("mesh"))));
              return file.VhloAttribute(
                  absl::StrCat(Varint(23), Varint(mesh), Varint(refs)));
            }),
            "#stablehlo.replica_group_mesh_axes<axes = [#stablehlo.axis_ref<"
            "name = \"x\", sub_axis_info = (1)2>, #stablehlo.axis_ref<name = "
            "\"x\">], mesh = @mesh>");
}

TEST(Bytecode, AttributesThatContainThemselves) {
  TestBytecode file;
  const uint64_t name = file.BuiltinAttribute(Varint(2) + Varint(0));
  const uint64_t self = name + 1;
  file.BuiltinAttribute(absl::StrCat(Varint(0), Varint(1), Varint(self)));
  ExpectInvalid(FileWithAttribute(file, name, self),
                "expected at most 256 levels of nesting");
}

TEST(Bytecode, AttributesThatStandForTooMuch) {
  TestBytecode file;
  uint64_t list = file.BuiltinAttribute(Varint(2) + Varint(0));
  const uint64_t name = list;
  for (int i = 0; i < 100; ++i) {
    list = file.BuiltinAttribute(
        absl::StrCat(Varint(0), Varint(2), Varint(list), Varint(list)));
  }
  ExpectInvalid(FileWithAttribute(file, name, list), "bytes, found more");
}

TEST(Bytecode, TypesThatStandForTooMuch) {
  TestBytecode file;
  uint64_t tuple = TensorType(file, 2, 4);
  for (int i = 0; i < 100; ++i) {
    tuple = file.VhloType(
        absl::StrCat(Varint(23), Varint(2), Varint(tuple), Varint(tuple)));
  }
  const std::string op =
      file.Op("vhlo.tuple_v1", kResults, Varint(1) + Varint(tuple));
  ExpectInvalid(file.File({file.Function("main", 1, {op})}),
                "bytes, found more");
}

TEST(Bytecode, TypesThatAreNotSupported) {
  TestBytecode file;
  const uint64_t type = TensorType(file, -1, 4);
  const std::string op =
      file.Op("vhlo.abs_v1", kResults, Varint(1) + Varint(type));
  ExpectUnimplemented(
      file.File({file.Function("main", 1, {op})}),
      "type tensor<?xf32>: dynamic dimensions are not supported");
}

TEST(Bytecode, DimensionNumbersAreChecked) {
  TestBytecode file;
  const uint64_t i64 = file.VhloType(Varint(14));
  const uint64_t type = TensorType(file, int64_t{1} << 40, 14);
  const uint64_t splat = Tensor(file, type, std::string(8, '\0'));
  const uint64_t zero =
      file.VhloAttribute(absl::StrCat(Varint(9), Varint(i64), SignedVarint(0)));
  const uint64_t no = file.VhloAttribute(Varint(2) + Varint(0));
  std::string properties;
  for (const uint64_t value :
       {splat, zero, no, splat, splat, splat, splat, splat}) {
    properties += Varint(value);
  }
  const std::string op = file.Op("vhlo.gather_v2", kProperties,
                                 Varint(file.Properties(properties)));
  ExpectInvalid(file.File({file.Function("main", 1, {op})}),
                "stablehlo.gather: offset_dims: expected a tensor of integers");
}

TEST(Bytecode, FunctionsAreChecked) {
  TestBytecode twice;
  const std::string result = twice.Op("vhlo.return_v1", 0);
  const std::string first = twice.Function("f", 0, {result});
  const std::string second = twice.Function("f", 0, {result});
  ExpectInvalid(twice.File({first, second}),
                "function @f is defined twice, first at f:");
  TestBytecode empty;
  ExpectInvalid(empty.File({empty.Function("f", 0, {})}),
                "expected the body of function @f, found none");
}

}  // namespace
}  // namespace lockstep::internal
