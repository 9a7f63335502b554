#include "runtime/files/npz.h"

#include <complex>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using Arrays = std::map<std::string, Literal>;

std::string Given(const std::string& name) {
  return "runtime/files/testdata/" + name;
}

std::string ContentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

// A file of the test's with this content.
std::string FileOf(const std::string& content) {
  const std::string path = testing::TempDir() + "/file.npz";
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

// What testdata/numpy.npz and testdata/numpy_compressed.npz hold, which
// numpy.savez and numpy.savez_compressed of NumPy 2.4 wrote; `columns` is there
// in Fortran's order, and `big` big-endian.
Arrays Expected() {
  Arrays arrays;
  arrays["weights"] =
      Literal::FromValues<float>({2, 3}, {0, .25, .5, .75, 1, 1.25});
  arrays["counts"] =
      Literal::FromValues<int64_t>({3}, {-1, 0, int64_t{1} << 40});
  arrays["columns"] = Literal::FromValues<int32_t>({2, 3}, {0, 1, 2, 3, 4, 5});
  arrays["big"] = Literal::FromValues<double>({4}, {0, 1, 2, 3});
  arrays["half"] = Literal::FromValues<BF16>({2}, {BF16(1.5f), BF16(-2.f)});
  arrays["flags"] = Literal::FromValues<bool>({3}, {true, false, true});
  arrays["scalar"] = Literal::Scalar(7.f);
  arrays["empty"] = Literal(Shape(ElementType::kU16, {0, 5}));
  arrays["waves"] = Literal::FromValues<std::complex<float>>({1}, {{1.f, 2.f}});
  return arrays;
}

std::map<std::string, LiteralView> ViewsOf(const Arrays& arrays) {
  return {arrays.begin(), arrays.end()};
}

TEST(NpzTest, FilesOfNumpyAreRead) {
  for (const char* name : {"numpy.npz", "numpy_compressed.npz"}) {
    const auto arrays = ReadNpzFile(Given(name));
    ASSERT_TRUE(arrays.ok()) << arrays.status();
    EXPECT_EQ(*arrays, Expected()) << name;
  }
}

TEST(NpzTest, OneArrayIsReadByItsName) {
  const auto file = NpzFile::Open(Given("numpy.npz"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(file->names(),
              ElementsAre("big", "columns", "counts", "empty", "flags", "half",
                          "scalar", "waves", "weights"));
  EXPECT_EQ(file->Read("scalar").value(), Literal::Scalar(7.f));
  const absl::Status missing = file->Read("none").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(missing.message(),
            "runtime/files/testdata/numpy.npz: no array \"none\"");
}

TEST(NpzTest, WhatIsWrittenIsRead) {
  const std::string path = testing::TempDir() + "/written.npz";
  for (const bool is_compressed : {false, true}) {
    for (const Arrays& arrays : {Expected(), Arrays()}) {
      ASSERT_TRUE(
          WriteNpzFile(path, ViewsOf(arrays), {.is_compressed = is_compressed})
              .ok());
      const auto again = ReadNpzFile(path);
      ASSERT_TRUE(again.ok()) << again.status();
      EXPECT_EQ(*again, arrays);
    }
  }
}

TEST(NpzTest, NamesAsStored) {
  const auto file = NpzFile::Open(Given("numpy.npz"));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(file->names_as_stored(),
              testing::UnorderedElementsAreArray(file->names()));
  EXPECT_NE(file->names_as_stored(), file->names());
}

TEST(NpzTest, BytesThatSayNothingAreOfTheTypeThatTheCallerNames) {
  const std::string path = testing::TempDir() + "/opaque.npz";
  Arrays arrays;
  arrays["w"] = Literal::FromValues<F8E4M3FN>({1}, {F8E4M3FN(1.5)});
  arrays["x"] = Literal::Scalar(7.f);
  ASSERT_TRUE(WriteNpzFile(path, ViewsOf(arrays)).ok());
  EXPECT_EQ(ReadNpzFile(path, {{"w", ElementType::kF8E4M3FN}}).value(), arrays);
  const absl::Status status = ReadNpzFile(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              testing::StartsWith(path + ": w.npy: npy header: elements of "));
}

// Blocks of compression end within elements, and zeros become few bytes.
TEST(NpzTest, LargeArraysAreCompressed) {
  Arrays arrays;
  arrays["zeros"] = Literal(Shape(ElementType::kF64, {500000}));
  arrays["noise"] = Literal(Shape(ElementType::kU8, {1000003}));
  std::mt19937 random(7);
  for (uint8_t& byte : arrays["noise"].mutable_data<uint8_t>()) {
    byte = static_cast<uint8_t>(random());
  }
  const std::string path = testing::TempDir() + "/large.npz";
  ASSERT_TRUE(
      WriteNpzFile(path, ViewsOf(arrays), {.is_compressed = true}).ok());
  EXPECT_LT(std::filesystem::file_size(path), 1'020'000u);
  EXPECT_EQ(ReadNpzFile(path).value(), arrays);
}

// testdata/written.npz is a file of WriteNpzFile that numpy.load has read.
TEST(NpzTest, TheBytesAreThoseThatNumpyHasRead) {
  const std::string path = testing::TempDir() + "/bytes.npz";
  Arrays arrays = Expected();
  arrays["größe"] = Literal::Scalar(int8_t{5});
  ASSERT_TRUE(WriteNpzFile(path, ViewsOf(arrays)).ok());
  EXPECT_TRUE(ContentOf(path) == ContentOf(Given("written.npz")));
}

TEST(NpzTest, NamesThatAreNoneAreRefused) {
  const std::string path = testing::TempDir() + "/named.npz";
  const Literal one = Literal::Scalar(1.f);
  for (const std::string& name : {std::string(), std::string(65532, 'x')}) {
    const absl::Status status = WriteNpzFile(path, {{name, one}});
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), StartsWith(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

// The error of reading all of a file with this content.
std::string ErrorOf(const std::string& content) {
  const std::string path = FileOf(content);
  const absl::Status status = ReadNpzFile(path).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), StartsWith(path));
  return std::string(status.message());
}

TEST(NpzTest, EveryTruncationIsAnError) {
  const std::string whole = ContentOf(Given("numpy.npz"));
  for (size_t size = 0; size < whole.size(); size += 7) {
    ErrorOf(whole.substr(0, size));
  }
  EXPECT_THAT(ErrorOf(whole.substr(0, whole.size() - 1)), HasSubstr("cut off"));
}

// Every byte of data is under a checksum.
TEST(NpzTest, DamagedDataIsAnError) {
  for (const char* name : {"numpy.npz", "numpy_compressed.npz"}) {
    const std::string whole = ContentOf(Given(name));
    const size_t data = whole.find("NUMPY") == std::string::npos
                            ? 100
                            : whole.find("NUMPY") + 130;
    std::string damaged = whole;
    damaged[data] ^= 0x10;
    EXPECT_THAT(ErrorOf(damaged), HasSubstr("weights.npy: "));
  }
}

// Replaces `count` bytes at `offset` of the record with this signature.
std::string With(std::string content, const std::string& signature,
                 size_t offset, const std::string& bytes) {
  const size_t at = content.find(signature);
  EXPECT_NE(at, std::string::npos);
  return content.replace(at + offset, bytes.size(), bytes);
}

TEST(NpzTest, DirectoriesThatLieAreErrors) {
  const std::string whole = ContentOf(Given("numpy.npz"));
  const std::string central = "PK\1\2";
  const std::string end = "PK\5\6";
  const std::string most(4, '\xFF');
  // More entries, a larger directory, one behind the end.
  EXPECT_THAT(ErrorOf(With(whole, end, 10, "\xFF\xFF")), HasSubstr("entries"));
  EXPECT_THAT(ErrorOf(With(whole, end, 12, most)), HasSubstr("directory"));
  EXPECT_THAT(ErrorOf(With(whole, end, 16, most)), HasSubstr("directory"));
  // An entry without its sizes, larger than the file, elsewhere, encrypted.
  EXPECT_THAT(ErrorOf(With(whole, central, 24, most)),
              HasSubstr("sizes of 64 bits"));
  EXPECT_THAT(ErrorOf(With(whole, central, 20, "\xFE\xFF\xFF\x7F")),
              HasSubstr("expected an entry of at most"));
  EXPECT_THAT(ErrorOf(With(whole, central, 24, "\xFE\xFF\xFF\x7F")),
              HasSubstr("cannot hold"));
  EXPECT_THAT(ErrorOf(With(whole, central, 42, "\1")),
              HasSubstr("expected its header at 1"));
  EXPECT_THAT(ErrorOf(With(whole, central, 8, "\1")), HasSubstr("encryption"));
  EXPECT_THAT(ErrorOf(With(whole, central, 10, "\x0C")),
              HasSubstr("method 12"));
}

// A shape of more bytes than there are is found before memory is taken.
TEST(NpzTest, ShapesThatLieAreErrors) {
  const std::string whole = ContentOf(Given("numpy.npz"));
  EXPECT_THAT(ErrorOf(With(whole, "'shape': (2, 3)", 9, "(9999999, 3), }")),
              HasSubstr("bytes of data for"));
}

TEST(NpzTest, OtherFilesAreNoArchives) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("not an archive"));
  EXPECT_THAT(ErrorOf(std::string(100000, 'P')), HasSubstr("not an archive"));
  EXPECT_EQ(ReadNpzFile("/no/such/file").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace lockstep
