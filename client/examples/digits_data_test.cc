#include "client/examples/digits_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::examples {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kData[] = "client/examples/data/digits.csv.gz";

// 64 pixels 0..15,0..15,.. and the label 7.
std::vector<std::string> GoodFields() {
  std::vector<std::string> fields;
  for (int i = 0; i < kDigitPixels; ++i) fields.push_back(absl::StrCat(i % 16));
  fields.push_back("7");
  return fields;
}

std::string GoodLine() { return absl::StrJoin(GoodFields(), ","); }

std::string LineWith(size_t index, const std::string& field) {
  std::vector<std::string> fields = GoodFields();
  fields[index] = field;
  return absl::StrJoin(fields, ",");
}

std::string TestFile(const std::string& name) {
  return absl::StrCat(::testing::TempDir(), "/", name);
}

std::string Bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void ExpectError(const absl::StatusOr<std::vector<Digit>>& digits,
                 absl::StatusCode code, const std::string& message) {
  EXPECT_EQ(digits.status().code(), code) << digits.status();
  EXPECT_EQ(digits.status().message(), message);
}

TEST(ParseDigits, ReadsPixelsAndLabelOfEveryLine) {
  const auto digits = ParseDigits(
      absl::StrCat(GoodLine(), "\r\n", LineWith(0, "16"), "\n"), "d.csv");
  ASSERT_TRUE(digits.ok()) << digits.status();
  ASSERT_EQ(digits->size(), 2);
  EXPECT_EQ((*digits)[0].pixels[63], 15);
  EXPECT_EQ((*digits)[0].label, 7);
  EXPECT_EQ((*digits)[1].pixels[0], 16);
}

TEST(ParseDigits, DamagedLinesAreNamedWithWhatWasExpectedAndFound) {
  const struct {
    std::string line;
    std::string message;
  } kCases[] = {
      {LineWith(3, "17"),
       "d.csv:2: field 4: expected a pixel of 0..16, found '17'"},
      {LineWith(3, "-1"),
       "d.csv:2: field 4: expected a pixel of 0..16, found '-1'"},
      {LineWith(3, "1.5"),
       "d.csv:2: field 4: expected a pixel of 0..16, found '1.5'"},
      {LineWith(63, ""),
       "d.csv:2: field 64: expected a pixel of 0..16, found ''"},
      {LineWith(0, "99999999999999999999"),
       "d.csv:2: field 1: expected a pixel of 0..16, found "
       "'99999999999999999999'"},
      {LineWith(64, "10"),
       "d.csv:2: field 65: expected a label of 0..9, found '10'"},
      {LineWith(64, "x"),
       "d.csv:2: field 65: expected a label of 0..9, found 'x'"},
      {"1,2,3", "d.csv:2: expected 64 pixels and a label, found 3 fields"},
      {"", "d.csv:2: expected 64 pixels and a label, found 1 fields"},
      {absl::StrCat(GoodLine(), ",0"),
       "d.csv:2: expected 64 pixels and a label, found 66 fields"},
  };
  for (const auto& [line, message] : kCases) {
    ExpectError(ParseDigits(absl::StrCat(GoodLine(), "\n", line, "\n",
                                         GoodLine(), "\n"),
                            "d.csv"),
                absl::StatusCode::kInvalidArgument, message);
  }
}

TEST(ParseDigits, NoLinesAreAnError) {
  for (const char* text : {"", "\n"}) {
    ExpectError(ParseDigits(text, "d.csv"), absl::StatusCode::kInvalidArgument,
                "d.csv:1: expected digits, found nothing");
  }
}

TEST(ReadDigits, ReadsTheWholeFile) {
  const auto digits = ReadDigits(kData);
  ASSERT_TRUE(digits.ok()) << digits.status();
  EXPECT_EQ(digits->size(), 1797);
  EXPECT_EQ(digits->front().pixels[2], 5);
  EXPECT_EQ(digits->front().label, 0);
  EXPECT_EQ(digits->back().label, 8);
}

TEST(ReadDigits, ReadsAFileThatIsNotCompressed) {
  const std::string path = TestFile("plain.csv");
  std::ofstream(path) << GoodLine() << "\n";
  const auto digits = ReadDigits(path);
  ASSERT_TRUE(digits.ok()) << digits.status();
  EXPECT_EQ(digits->size(), 1);
}

TEST(ReadDigits, AMissingFileIsNotFound) {
  ExpectError(ReadDigits("no/such.csv.gz"), absl::StatusCode::kNotFound,
              "no/such.csv.gz: cannot be opened");
}

TEST(ReadDigits, AFileCutOffIsDataLoss) {
  const std::string whole = Bytes(kData);
  for (const size_t size : {whole.size() - 1, whole.size() / 2, size_t{12}}) {
    const std::string path = TestFile("cut.csv.gz");
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    const absl::Status status = ReadDigits(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << size;
    EXPECT_THAT(std::string(status.message()),
                AllOf(StartsWith(absl::StrCat(path, ": damaged after ")),
                      HasSubstr("the file ends early")));
  }
}

TEST(ReadDigits, AChangedByteIsDataLoss) {
  std::string bytes = Bytes(kData);
  bytes[bytes.size() / 2] ^= 0x55;
  const std::string path = TestFile("changed.csv.gz");
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(ReadDigits(path).status().code(), absl::StatusCode::kDataLoss);
}

TEST(SplitDigits, HoldsBackAFifthAndLosesNothing) {
  std::vector<Digit> digits(1797);
  for (size_t i = 0; i < digits.size(); ++i) {
    digits[i].label = static_cast<int>(i);  // a number to know it by
  }
  const DigitSplit split = SplitDigits(digits);
  EXPECT_EQ(split.test.size(), 359);
  EXPECT_EQ(split.training.size(), 1438);
  std::set<int> seen;
  for (const auto* part : {&split.training, &split.test}) {
    for (const Digit& digit : *part) seen.insert(digit.label);
  }
  EXPECT_EQ(seen.size(), 1797);
}

TEST(SplitDigits, IsTheSameEachTimeAndShuffled) {
  const auto digits = ReadDigits(kData);
  ASSERT_TRUE(digits.ok()) << digits.status();
  const DigitSplit split = SplitDigits(*digits);
  EXPECT_EQ(split.training, SplitDigits(*digits).training);
  EXPECT_NE(split.test,
            std::vector<Digit>(digits->begin(), digits->begin() + 359));
}

}  // namespace
}  // namespace lockstep::examples
