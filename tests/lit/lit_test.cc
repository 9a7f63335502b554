// Runs every program below tests/lit; see README.md there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module_equality.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/ir/printer.h"
#include "runtime/passes/pipelines.h"
#include "tests/lit/lit_file.h"

namespace lockstep::internal {
namespace {

std::vector<std::string> LitPaths() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator("tests/lit")) {
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void ExpectReparses(const Module& module, const PrintOptions& options) {
  const std::string text = Print(module, options);
  absl::StatusOr<std::unique_ptr<Module>> again =
      ParseAndVerify(text, "printed");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << text;
  EXPECT_EQ(FirstDifference(module, **again).value_or(""), "") << text;
  EXPECT_EQ(Print(**again, options), text);
}

void ExpectLines(const std::string& output,
                 const std::vector<std::string>& checks) {
  const std::vector<std::string> lines = absl::StrSplit(output, '\n');
  size_t next = 0;
  for (const std::string& check : checks) {
    while (next < lines.size() && !absl::StrContains(lines[next], check)) {
      ++next;
    }
    ASSERT_LT(next, lines.size()) << "no line contains: " << check << "\n"
                                  << output;
    ++next;
  }
}

void ExpectAbsent(const std::string& output,
                  const std::vector<std::string>& absent) {
  for (const std::string& text : absent) {
    EXPECT_FALSE(absl::StrContains(output, text))
        << "a line contains: " << text << "\n"
        << output;
  }
}

// "pass a, b": runs these passes, and verifies after each.
absl::Status RunPasses(absl::string_view run, Module& module) {
  if (!absl::ConsumePrefix(&run, "pass ")) return absl::OkStatus();
  PassManager::Options options;
  options.verify_each = true;
  PassManager passes(std::move(options));
  if (run == "all") {
    AddOptimizationPasses(passes);
    return passes.Run(module);
  }
  for (absl::string_view name : absl::StrSplit(run, ", ")) {
    const Pass* pass = FindPass(name);
    if (pass == nullptr) {
      return absl::NotFoundError(absl::StrCat("no pass ", name));
    }
    passes.Add(*pass);
  }
  return passes.Run(module);
}

void ExpectError(const absl::Status& status, const LitError& error) {
  EXPECT_EQ(absl::StatusCodeToString(status.code()),
            absl::StatusCodeToString(error.code));
  std::string message(status.message());
  // A pass says its name before the place.
  const size_t place = message.find("tests/lit/");
  if (error.has_place && place != std::string::npos) {
    message = message.substr(place);
  }
  // Which operand has which type is said behind; tests need not repeat it.
  constexpr char kOperands[] = " (operand 0: ";
  if (!absl::StrContains(error.message, kOperands)) {
    message = message.substr(0, message.find(kOperands));
  }
  if (error.has_place) {
    EXPECT_EQ(message, error.message);
  } else {
    EXPECT_TRUE(absl::EndsWith(message, error.message))
        << message << "\ndoes not end with\n"
        << error.message;
  }
}

void RunProgram(const LitFile& file, const LitProgram& program) {
  SCOPED_TRACE(absl::StrCat(file.path, ":", program.line));
  const bool verify = file.run != "parse";
  absl::StatusOr<std::unique_ptr<Module>> module =
      verify ? ParseAndVerify(program.text, file.path)
             : ParseModule(program.text, file.path);
  if (program.error.has_value()) {
    absl::Status status = module.status();
    if (status.ok()) status = RunPasses(file.run, **module);
    ASSERT_FALSE(status.ok()) << "expected: " << program.error->message;
    ExpectError(status, *program.error);
    return;
  }
  ASSERT_TRUE(module.ok()) << module.status();
  if (file.run == "roundtrip") {
    PrintOptions generic;
    generic.generic = true;
    ExpectReparses(**module, PrintOptions());
    ExpectReparses(**module, generic);
  }
  const absl::Status passed = RunPasses(file.run, **module);
  ASSERT_TRUE(passed.ok()) << passed;
  PrintOptions options;
  options.generic = file.run == "print-generic";
  if (!program.checks.empty()) {
    ExpectLines(Print(**module, options), program.checks);
  }
  if (!program.absent.empty()) {
    ExpectAbsent(Print(**module, options), program.absent);
  }
}

class LitTest : public testing::TestWithParam<std::string> {};

TEST_P(LitTest, GivesWhatTheFileSays) {
  absl::StatusOr<LitFile> file = ReadLitFile(GetParam());
  ASSERT_TRUE(file.ok()) << file.status();
  const std::vector<std::string> runs = {"parse", "verify", "roundtrip",
                                         "print", "print-generic"};
  ASSERT_TRUE(std::count(runs.begin(), runs.end(), file->run) == 1 ||
              absl::StartsWith(file->run, "pass "))
      << "unknown RUN: " << file->run;
  for (const LitProgram& program : file->programs) RunProgram(*file, program);
}

INSTANTIATE_TEST_SUITE_P(Files, LitTest, testing::ValuesIn(LitPaths()),
                         [](const auto& info) {
                           return absl::StrReplaceAll(
                               std::string(
                                   std::filesystem::path(info.param).stem()) +
                                   "_" + std::to_string(info.index),
                               {{"-", "_"}, {".", "_"}});
                         });

}  // namespace
}  // namespace lockstep::internal
