// Artifacts that JAX wrote, read from bytecode and from text: the same
// programs.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/regular_file.h"
#include "runtime/frontend/bytecode/bytecode.h"
#include "runtime/frontend/bytecode/program.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

constexpr char kFolder[] = "tests/bytecode/";

std::string Contents(const std::string& name) {
  const auto bytes =
      ReadRegularFile(absl::StrCat(kFolder, name), int64_t{1} << 20);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.value_or("");
}

std::vector<std::string> Artifacts() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".mlirbc") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// With places, of which those in the file itself are no part.
std::string TextOf(const Module& module) {
  PrintOptions options;
  options.locations = true;
  std::string text = Print(module, options);
  const std::string own = " loc(\"file\"";
  for (size_t at = text.find(own); at != std::string::npos;
       at = text.find(own, at)) {
    text.erase(at, text.find(')', at) + 1 - at);
  }
  return text;
}

TEST(Artifacts, AreReadAsTheirTexts) {
  const std::vector<std::string> names = Artifacts();
  ASSERT_GE(names.size(), 11u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const auto read =
        ReadBytecode(Contents(absl::StrCat(name, ".mlirbc")), "file");
    const auto text =
        ParseAndVerify(Contents(absl::StrCat(name, ".mlir")), "file");
    ASSERT_TRUE(read.ok()) << read.status();
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_EQ(TextOf(**read), TextOf(**text));
  }
}

TEST(Artifacts, TextForHostsIsTheSameProgram) {
  for (const std::string& name : Artifacts()) {
    SCOPED_TRACE(name);
    const std::string bytes = Contents(absl::StrCat(name, ".mlirbc"));
    const auto read = ReadProgram(bytes, "file");
    ASSERT_TRUE(read.ok()) << read.status();
    const auto again = ReadProgram(ProgramText(bytes, **read), "printed");
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(Print(**again), Print(**read));
  }
}

TEST(Artifacts, FileOfJaxExportHoldsTheProgram) {
  const std::string file = Contents("mlp.jax");
  ASSERT_TRUE(FindBytecode(file).has_value());
  const auto exported = ReadProgram(file, "file");
  const auto bare = ReadProgram(Contents("mlp_1_16_0.mlirbc"), "file");
  ASSERT_TRUE(exported.ok()) << exported.status();
  ASSERT_TRUE(bare.ok()) << bare.status();
  EXPECT_EQ(Print(**exported), Print(**bare));
}

TEST(Artifacts, TextIsNoBytecode) {
  const std::string text = Contents("mlp_0_9_0.mlir");
  EXPECT_FALSE(FindBytecode(text).has_value());
  const auto module = ReadProgram(text, "file");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(ProgramText(text, **module), text);
}

TEST(Artifacts, ErrorsHaveThePlaceInTheSource) {
  const auto module = ReadBytecode(Contents("mlp_1_16_0.mlirbc"), "file");
  ASSERT_TRUE(module.ok()) << module.status();
  const Op& op = *(*module)->functions()[0]->body().ops()[0];
  const std::string place = op.location().ToString();
  EXPECT_TRUE(absl::StartsWith(place, "model.py:6:")) << place;
  EXPECT_TRUE(absl::StrContains(place, "(file:")) << place;
}

TEST(Artifacts, EveryPrefixIsRefused) {
  for (const std::string& name : Artifacts()) {
    SCOPED_TRACE(name);
    const std::string bytes = Contents(absl::StrCat(name, ".mlirbc"));
    for (size_t size = 4; size < bytes.size(); ++size) {
      const absl::Status status =
          ReadBytecode(bytes.substr(0, size), "file").status();
      ASSERT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << size;
      ASSERT_TRUE(absl::StartsWith(status.message(), "file:")) << status;
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
