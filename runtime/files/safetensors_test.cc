#include "runtime/files/safetensors.h"

#include <complex>
#include <fstream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;

using Tensors = std::map<std::string, Literal>;

constexpr char kGiven[] = "runtime/files/testdata/reference.safetensors";

std::string ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

// What testdata/reference.safetensors holds, which the reference library wrote.
Tensors Expected() {
  Tensors tensors;
  tensors["weights"] =
      Literal::FromValues<float>({2, 3}, {0, .25, .5, .75, 1, 1.25});
  tensors["counts"] =
      Literal::FromValues<int64_t>({3}, {-1, 0, int64_t{1} << 40});
  tensors["columns"] = Literal::FromValues<int32_t>({2, 3}, {0, 1, 2, 3, 4, 5});
  tensors["half"] = Literal::FromValues<BF16>({2}, {BF16(1.5f), BF16(-2.f)});
  tensors["flags"] = Literal::FromValues<bool>({3}, {true, false, true});
  tensors["scalar"] = Literal::Scalar(7.f);
  tensors["empty"] = Literal(Shape(ElementType::kU16, {0, 5}));
  tensors["waves"] =
      Literal::FromValues<std::complex<float>>({1}, {{1.f, 2.f}});
  return tensors;
}

std::map<std::string, LiteralView> ViewsOf(const Tensors& tensors) {
  return {tensors.begin(), tensors.end()};
}

TEST(SafetensorsTest, FilesOfTheReferenceAreRead) {
  const auto file = SafetensorsFile::Open(kGiven);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(file->metadata(), ElementsAre(Pair("made by", "safetensors")));
  EXPECT_EQ(file->tensors().at("weights").shape,
            Shape(ElementType::kF32, {2, 3}));
  EXPECT_EQ(file->Read("scalar").value(), Literal::Scalar(7.f));
  const absl::Status missing = file->Read("none").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()),
              HasSubstr("reference.safetensors: safetensors: no tensor "
                        "\"none\""));
  EXPECT_EQ(ReadSafetensorsFile(kGiven).value(), Expected());
}

TEST(SafetensorsTest, WhatIsWrittenIsRead) {
  const std::string path = testing::TempDir() + "/written.safetensors";
  for (const Tensors& tensors : {Expected(), Tensors()}) {
    ASSERT_TRUE(
        WriteSafetensorsFile(path, ViewsOf(tensors), {{"step", "7"}}).ok());
    EXPECT_EQ(ReadSafetensorsFile(path).value(), tensors);
    EXPECT_THAT(SafetensorsFile::Open(path)->metadata(),
                ElementsAre(Pair("step", "7")));
  }
}

// testdata/written.safetensors is a file of WriteSafetensorsFile that the
// reference library has read.
TEST(SafetensorsTest, TheBytesAreThoseThatTheReferenceHasRead) {
  const std::string path = testing::TempDir() + "/bytes.safetensors";
  ASSERT_TRUE(
      WriteSafetensorsFile(path, ViewsOf(Expected()), {{"step", "7"}}).ok());
  EXPECT_TRUE(ContentOf(path) ==
              ContentOf("runtime/files/testdata/written.safetensors"));
}

TEST(SafetensorsTest, EveryTypeThatBothHave) {
  const std::string path = testing::TempDir() + "/types.safetensors";
  int written = 0;
  for (int number = 1; number <= 30; ++number) {
    const auto type = static_cast<ElementType>(number);
    const Literal tensor(Shape(type, {3}));
    const absl::Status status = WriteSafetensorsFile(path, {{"t", tensor}});
    if (!status.ok()) {
      EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
      continue;
    }
    ++written;
    EXPECT_EQ(ReadSafetensorsFile(path)->at("t"), tensor);
  }
  EXPECT_EQ(written, 19);
}

TEST(SafetensorsTest, NamesThatAreNoneAreRefused) {
  const std::string path = testing::TempDir() + "/named.safetensors";
  const Literal one = Literal::Scalar(1.f);
  for (const char* name : {"\xFF", "__metadata__"}) {
    const absl::Status status = WriteSafetensorsFile(path, {{name, one}});
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(std::string(status.message()), StartsWith(path));
  }
}

// A file with this header and `data` behind it.
std::string File(const std::string& header, const std::string& data = "") {
  std::string content;
  for (int i = 0; i < 8; ++i) {
    content.push_back(static_cast<char>(header.size() >> (8 * i) & 0xFF));
  }
  return absl::StrCat(content, header, data);
}

std::string Tensor(const std::string& dtype, const std::string& shape,
                   const std::string& offsets) {
  return absl::StrCat(R"({"dtype":")", dtype, R"(","shape":)", shape,
                      R"(,"data_offsets":)", offsets, "}");
}

absl::Status StatusOf(const std::string& content) {
  const std::string path = testing::TempDir() + "/bad.safetensors";
  std::ofstream(path, std::ios::binary) << content;
  const absl::Status status = ReadSafetensorsFile(path).status();
  EXPECT_FALSE(status.ok()) << content;
  EXPECT_THAT(std::string(status.message()), StartsWith(path + ": "));
  return status;
}

TEST(SafetensorsTest, FilesThatLieAreErrors) {
  const std::string data = "01234567";
  const std::string good = Tensor("F32", "[2]", "[0,8]");
  const struct {
    std::string content;
    const char* message;
  } kCases[] = {
      {"", "at least 8 bytes"},
      {"1234567", "at least 8 bytes"},
      {std::string(8, '\xFF'), "a header of at most 0 bytes"},
      {std::string("\x10\0\0\0\0\0\0\0{}", 10), "at most 2 bytes, found 16"},
      {File(""), "begins with '{'"},
      {File("[]"), "begins with '{'"},
      {File(" {}"), "begins with '{'"},
      {File("{"), "begins with '{'"},
      {File("{\"a\":1}"), "\"a\": expected \"dtype\""},
      {File("{\"a\":{}}"), "\"a\": expected \"dtype\""},
      {File("{\"a\":" + Tensor("F99", "[2]", "[0,8]") + "}", data), "F99"},
      {File("{\"a\":" + Tensor("F32", "[-2]", "[0,8]") + "}", data), "sizes"},
      {File("{\"a\":" + Tensor("F32", "[2.0]", "[0,8]") + "}", data), "sizes"},
      {File("{\"a\":" + Tensor("F32", "2", "[0,8]") + "}", data), "sizes"},
      {File("{\"a\":" + Tensor("F32", "[2]", "[0]") + "}", data), "numbers"},
      {File("{\"a\":" + Tensor("F32", "[2]", "[8,0]") + "}", data), "within"},
      {File("{\"a\":" + Tensor("F32", "[2]", "[0,16]") + "}", data),
       "within the 8 bytes"},
      {File("{\"a\":" + Tensor("F32", "[3]", "[0,8]") + "}", data),
       "expected 12 bytes"},
      {File("{\"a\":" + Tensor("F32", "[4294967296,4294967296]", "[0,8]") + "}",
            data),
       "\"a\": "},
      {File("{\"a\":" + good + "}", "0123456789"), "expected 8 bytes behind"},
      {File("{\"a\":" + good + ",\"a\":" + good + "}", data), "\"a\" twice"},
      {File("{\"a\":" + good + ",\"b\":" + good + "}", data),
       "\"b\": expected its data at 8"},
      {File("{\"a\":" + Tensor("U8", "[4]", "[4,8]") + "}", data),
       "\"a\": expected its data at 0"},
      {File("{\"__metadata__\":{\"a\":1}}"), "__metadata__"},
      {File("{\"__metadata__\":\"a\"}"), "__metadata__"},
      {File("{\"__metadata__\":" + std::string(100000, '[')), "begins with"},
  };
  for (const auto& [content, message] : kCases) {
    const absl::Status status = StatusOf(content);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(message)) << content;
  }
  EXPECT_EQ(StatusOf(File("{\"a\":" + Tensor("F4", "[2]", "[0,1]") + "}", "0"))
                .code(),
            absl::StatusCode::kUnimplemented);
}

// Parts whose elements lie apart in the file, near each other and far, whole,
// empty, and of a scalar.
TEST(SafetensorsTest, PartsAreReadByThemselves) {
  const auto iota = [](const std::vector<int64_t>& dims) {
    Literal literal(Shape(ElementType::kS32, dims));
    const auto elements = literal.mutable_data<int32_t>();
    std::iota(elements.begin(), elements.end(), 0);
    return literal;
  };
  const Literal near = iota({300, 5, 200});
  const Literal far = iota({3, 70000, 2});
  const Literal scalar = iota({});
  const std::string path = ::testing::TempDir() + "/parts.safetensors";
  ASSERT_TRUE(WriteSafetensorsFile(path, {{"near", near.view()},
                                          {"far", far.view()},
                                          {"scalar", scalar.view()}})
                  .ok());
  const auto file = SafetensorsFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  const auto expect = [&](const std::string& name, const Literal& whole,
                          const internal::Box& box) {
    const auto part = file->ReadBox(name, box);
    ASSERT_TRUE(part.ok()) << part.status();
    const auto expected = internal::TakeBox(
        internal::HostTensor::Of(std::make_shared<const Literal>(whole)), box);
    EXPECT_EQ(*part, Literal::CopyOf(expected->view)) << name;
  };
  expect("near", near, {{0, 0, 7}, {300, 5, 1}});
  expect("near", near, {{17, 2, 150}, {251, 3, 50}});
  expect("near", near, {{1, 0, 0}, {299, 5, 200}});
  expect("near", near, {{0, 0, 0}, {300, 0, 200}});
  expect("far", far, {{0, 1, 0}, {3, 2, 1}});
  expect("far", far, {{1, 0, 1}, {2, 70000, 1}});
  expect("scalar", scalar, {});
  EXPECT_EQ(file->ReadBox("none", {}).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(SafetensorsTest, EveryTruncationIsAnError) {
  const std::string whole = ContentOf(kGiven);
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(StatusOf(whole.substr(0, size)).ok());
  }
}

}  // namespace
}  // namespace lockstep
