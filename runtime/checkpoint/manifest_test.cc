#include "runtime/checkpoint/manifest.h"

#define XXH_INLINE_ALL
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "runtime/checkpoint/folder_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kFile[] = "shards.0123456789abcdef.bin";

// 'a/w' of 4x2 in two halves, a scalar, and an array without elements.
Manifest SomeManifest() {
  Manifest manifest;
  manifest.block_bytes = 16;
  manifest.arrays.push_back(
      {"a/w",
       Shape(ElementType::kF32, {4, 2}),
       Shape(ElementType::kF32, {2, 2}),
       {{{0, 0}, kFile, 0, {1}}, {{2, 0}, kFile, 16, {2}}}});
  manifest.arrays.push_back({"b",
                             Shape(ElementType::kC128, {}),
                             Shape(ElementType::kC128, {}),
                             {{{}, kFile, 32, {~uint64_t{0}}}}});
  manifest.arrays.push_back({"c \"\n\xc3\xa4",
                             Shape(ElementType::kPred, {0, 3}),
                             Shape(ElementType::kPred, {0, 3}),
                             {}});
  return manifest;
}

// With the checksum that the text then has.
std::string Edited(const std::string& text, const std::string& from,
                   const std::string& to) {
  std::string body = text.substr(0, text.rfind("{\"checksum\":"));
  EXPECT_THAT(body, HasSubstr(from));
  body = absl::StrReplaceAll(body, {{from, to}});
  const XXH128_hash_t digest = XXH3_128bits(body.data(), body.size());
  return absl::StrCat(
      body, "{\"checksum\":\"",
      absl::StrFormat("%016x%016x", digest.high64, digest.low64), "\"}\n");
}

absl::Status ParseAndCheck(absl::string_view text) {
  const auto manifest = ParseManifest(text, "m.json");
  return manifest.ok() ? CheckIsComplete(*manifest) : manifest.status();
}

TEST(ManifestTest, ReadsWhatItWrites) {
  const Manifest manifest = SomeManifest();
  const auto text = FormatManifest(manifest);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, StartsWith("{\"format\":\"lockstep checkpoint\","
                                "\"version\":1,\"block_bytes\":16,"
                                "\"arrays\":3}\n{\"path\":\"a/w\","
                                "\"type\":\"f32\",\"shape\":[4,2],"
                                "\"shard_shape\":[2,2],\"shards\":[{"));
  const auto parsed = ParseManifest(*text, "m.json");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, manifest);
  EXPECT_TRUE(CheckIsComplete(*parsed).ok());
  EXPECT_EQ(parsed->Find("b"), &parsed->arrays[1]);
  EXPECT_EQ(parsed->Find("a"), nullptr);
  EXPECT_EQ(parsed->Find("d"), nullptr);
}

TEST(ManifestTest, EveryElementTypeHasAName) {
  for (uint32_t number = 1; ElementTypeFromNumber(number).ok(); ++number) {
    Manifest manifest;
    manifest.block_bytes = 1;
    const Shape shape(*ElementTypeFromNumber(number), {0});
    manifest.arrays.push_back({"a", shape, shape, {}});
    const auto parsed = ParseManifest(*FormatManifest(manifest), "m.json");
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, manifest);
  }
}

TEST(ManifestTest, PathsThatAreNoTextAreErrors) {
  Manifest manifest = SomeManifest();
  manifest.arrays[0].path = "\xff";
  EXPECT_THAT(FormatManifest(manifest).status().ToString(),
              AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("UTF-8")));
}

TEST(ManifestTest, PartsAreMerged) {
  const Manifest whole = SomeManifest();
  Manifest first = whole;
  Manifest second = whole;
  first.arrays[0].shards.erase(first.arrays[0].shards.begin());
  second.arrays[0].shards.pop_back();
  second.arrays[1].shards.clear();
  EXPECT_EQ(CheckIsComplete(first).message(),
            "array 'a/w': expected 2 shards of float32 (2, 2) for float32 "
            "(4, 2), found 1");
  const auto merged = MergeManifests({first, second});
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(*merged, whole);
  second.arrays[0].path = "other";
  EXPECT_FALSE(MergeManifests({first, second}).ok());
}

TEST(ManifestTest, SaysWhatIsWrong) {
  const std::string text = *FormatManifest(SomeManifest());
  const struct {
    std::string from, to, error;
  } cases[] = {
      {"\"version\":1", "\"version\":2",
       "INVALID_ARGUMENT: m.json: version 2 of the format, expected 1"},
      {"\"lockstep checkpoint\"", "\"other\"",
       "DATA_LOSS: m.json: expected {\"format\":\"lockstep checkpoint\""},
      {"\"block_bytes\":16", "\"block_bytes\":0",
       "expected \"block_bytes\" from 1 to 67108864, found 0"},
      {"\"block_bytes\":16", "\"block_bytes\":1e300",
       "expected a size as \"block_bytes\""},
      {"\"arrays\":3", "\"arrays\":4", "expected 4 arrays, found 3"},
      {"\"path\":\"b\"", "\"path\":\"a\"",
       "line 3: expected arrays in order, each once, found 'a' behind 'a/w'"},
      {"\"path\":\"b\"", "\"path\":7", "line 3: expected a string as \"path\""},
      {"\"f32\"", "\"f33\"",
       "line 2: array 'a/w': expected an element type, found 'f33'"},
      {"\"shape\":[4,2]", "\"shape\":[4,-2]",
       "array 'a/w': expected a list of sizes as \"shape\""},
      {"\"shape\":[4,2]", "\"shape\":[4294967296,4294967296]", "array 'a/w': "},
      {"\"shard_shape\":[2,2]", "\"shard_shape\":[3,2]",
       "array 'a/w': expected shards that divide (4, 2), found (3, 2)"},
      {"\"shard_shape\":[2,2]", "\"shard_shape\":[0,2]",
       "expected shards that divide (4, 2), found (0, 2)"},
      {"\"shard_shape\":[2,2]", "\"shard_shape\":[2]",
       "expected shards that divide (4, 2), found (2,)"},
      {"\"start\":[2,0]", "\"start\":[1,0]",
       "expected the start of a shard of (2, 2) in (4, 2), found (1, 0)"},
      {"\"start\":[2,0]", "\"start\":[4,0]", "found (4, 0)"},
      {"\"start\":[2,0]", "\"start\":[2]", "found (2,)"},
      {"\"start\":[2,0]", "\"start\":[0,0]",
       "expected shards in order, each once, found (0, 0) before (0, 0)"},
      {"\"file\":\"shards.", "\"file\":\"../shards.",
       "as \"file\", found '../"},
      {"\"offset\":16", "\"offset\":9223372036854775800",
       "the offset 9223372036854775800 is too large"},
      {"\"offset\":16", "\"offset\":18446744073709551615",
       "expected a size as \"offset\""},
      {"\"size\":16", "\"size\":17",
       "expected 16 bytes for float32 (2, 2), found 17"},
      {"\"checksums\":\"0000000000000001\"", "\"checksums\":\"\"",
       "expected 1 checksums of 16 digits, found 0 digits"},
      {"\"checksums\":\"0000000000000001\"",
       "\"checksums\":\"000000000000000x\"", "expected checksums, found"},
      {"\"shape\":[0,3],\"shard_shape\":[0,3],\"shards\":[]",
       "\"shape\":[0,3],\"shard_shape\":[0,3],\"shards\":[7]",
       "expected no shard of an array without elements"},
      {"{\"path\":\"b\"", "x", "line 3: expected a string as \"path\""},
  };
  for (const auto& each : cases) {
    EXPECT_THAT(ParseAndCheck(Edited(text, each.from, each.to)).ToString(),
                HasSubstr(each.error))
        << each.to;
  }
}

TEST(ManifestTest, TextThatIsNotWholeIsDataLoss) {
  const std::string text = *FormatManifest(SomeManifest());
  for (size_t size = 0; size < text.size(); ++size) {
    const absl::Status status = ParseAndCheck(text.substr(0, size));
    EXPECT_TRUE(absl::IsDataLoss(status)) << size << " " << status;
    EXPECT_THAT(status.ToString(), StartsWith("DATA_LOSS: m.json: ")) << size;
  }
  EXPECT_FALSE(ParseAndCheck(text + "\n").ok());
}

TEST(ManifestTest, EveryChangedByteIsFound) {
  const std::string text = *FormatManifest(SomeManifest());
  for (size_t i = 0; i < text.size(); ++i) {
    for (int bit : {0, 3, 7}) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_FALSE(ParseAndCheck(changed).ok()) << i;
    }
  }
}

// What passes the checksum may still be anything.
TEST(ManifestTest, MutatedTextGivesAnErrorOrAWholeManifest) {
  const std::string text = *FormatManifest(SomeManifest());
  const std::string body = text.substr(0, text.rfind("{\"checksum\":"));
  const std::string words[] = {"0",
                               "-1",
                               "9223372036854775807",
                               "1e400",
                               "[",
                               "]",
                               "{}",
                               "\"\"",
                               "null",
                               ",",
                               "\n",
                               "\\",
                               "18446744073709551616"};
  std::minstd_rand random(20);
  int whole = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string mutated = body;
    const int edits = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < edits; ++i) {
      const size_t at = random() % mutated.size();
      switch (random() % 4) {
        case 0:
          mutated[at] = static_cast<char>(random());
          break;
        case 1:
          mutated.erase(at, random() % 8);
          break;
        case 2:
          mutated.insert(at, words[random() % std::size(words)]);
          break;
        default:
          mutated.insert(at, mutated.substr(random() % mutated.size(), 20));
      }
    }
    const auto parsed =
        ParseManifest(Edited(mutated + "{\"checksum\":", "", ""), "m.json");
    if (!parsed.ok() || !CheckIsComplete(*parsed).ok()) continue;
    ++whole;
    const auto again = FormatManifest(*parsed);
    ASSERT_TRUE(again.ok()) << again.status();
    const auto reparsed = ParseManifest(*again, "m.json");
    ASSERT_TRUE(reparsed.ok()) << reparsed.status();
    EXPECT_EQ(*reparsed, *parsed);
  }
  EXPECT_GT(whole, 100);
}

TEST(ManifestTest, FileThatIsNotThereIsNotFound) {
  const std::string folder = NewFolder();
  EXPECT_TRUE(absl::IsNotFound(ReadManifest(folder).status()));
  Manifest partial = SomeManifest();
  partial.arrays[0].shards.pop_back();
  WriteContent(folder + "/manifest.json", *FormatManifest(partial));
  EXPECT_THAT(ReadManifest(folder).status().ToString(),
              HasSubstr(absl::StrCat(folder, "/manifest.json: array 'a/w'")));
  WriteContent(folder + "/manifest.json", *FormatManifest(SomeManifest()));
  EXPECT_EQ(*ReadManifest(folder), SomeManifest());
}

}  // namespace
}  // namespace lockstep::internal
