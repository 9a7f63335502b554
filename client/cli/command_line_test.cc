#include "client/cli/command_line.h"

#include <memory>
#include <sstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/cli/duration_option.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

absl::Status result;
std::string given;
absl::Duration duration = absl::Minutes(3);

std::function<absl::Status()> DefineCook(CLI::App& app) {
  auto recipe = std::make_shared<std::string>();
  app.add_option("--recipe", *recipe, "what to cook")->required();
  AddDurationOption(app, "--for", duration, "how long");
  return [recipe] {
    given = *recipe;
    return result;
  };
}

// A command of commands.
std::function<absl::Status()> DefineBake(CLI::App& app) {
  app.require_subcommand(1);
  DefineCook(*app.add_subcommand("bread", "Bakes bread"));
  return [] { return result; };
}

constexpr Subcommand kCommands[] = {
    {"cook", "Cooks", "lockstep cook --recipe soup", DefineCook},
    {"bake", "Bakes", "lockstep bake bread --recipe rye", DefineBake}};

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome RunWith(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "lockstep");
  std::ostringstream out, err;
  int code = RunCommandLine(kCommands, static_cast<int>(arguments.size()),
                            arguments.data(), out, err);
  return {code, out.str(), err.str()};
}

TEST(CommandLineTest, RunsTheCommandWithItsOptions) {
  result = absl::OkStatus();
  Outcome outcome = RunWith({"cook", "--recipe", "soup"});
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_EQ(given, "soup");
  EXPECT_EQ(outcome.err, "");
}

TEST(CommandLineTest, FailureIsOneLineAndExitCodeOne) {
  result = absl::InvalidArgumentError("too salty");
  Outcome outcome = RunWith({"cook", "--recipe", "soup"});
  EXPECT_EQ(outcome.code, kExitFailure);
  EXPECT_EQ(outcome.err, "lockstep cook: INVALID_ARGUMENT: too salty\n");
}

TEST(CommandLineTest, UnreachableClusterHasItsOwnExitCode) {
  result = absl::UnavailableError("no cook");
  EXPECT_EQ(RunWith({"cook", "--recipe", "soup"}).code, kExitUnavailable);
}

TEST(CommandLineTest, MisspelledCommandSuggestsTheNearest) {
  Outcome outcome = RunWith({"cok"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_THAT(outcome.err,
              HasSubstr("unknown command \"cok\"; did you mean cook?"));
}

TEST(CommandLineTest, MisspelledOptionSuggestsTheNearest) {
  Outcome outcome = RunWith({"cook", "--recpie=soup"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_THAT(outcome.err,
              HasSubstr("lockstep cook: INVALID_ARGUMENT: unexpected argument "
                        "\"--recpie=soup\"; did you mean --recipe?"));
}

TEST(CommandLineTest, DurationsHaveUnitsOrAreSeconds) {
  result = absl::OkStatus();
  ASSERT_EQ(RunWith({"cook", "--recipe", "soup", "--for", "1.5s"}).code, 0);
  EXPECT_EQ(duration, absl::Milliseconds(1500));
  ASSERT_EQ(RunWith({"cook", "--recipe", "soup", "--for", "90"}).code, 0);
  EXPECT_EQ(duration, absl::Seconds(90));
  for (const char* bad : {"soon", "-1s", "-1"}) {
    Outcome outcome = RunWith({"cook", "--recipe", "soup", "--for", bad});
    EXPECT_EQ(outcome.code, kExitUsage) << bad;
    EXPECT_THAT(outcome.err, HasSubstr("--for: expected")) << bad;
  }
}

TEST(CommandLineTest, MissingOptionIsNamed) {
  Outcome outcome = RunWith({"cook"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_THAT(outcome.err, HasSubstr("--recipe is required"));
}

TEST(CommandLineTest, CommandsOfACommandAreNamedWithIt) {
  result = absl::OkStatus();
  EXPECT_EQ(RunWith({"bake", "bread", "--recipe", "rye"}).code, kExitOk);
  EXPECT_EQ(RunWith({"bake"}).code, kExitUsage);
  EXPECT_THAT(RunWith({"bake", "braed"}).err,
              HasSubstr("lockstep bake: INVALID_ARGUMENT: unexpected argument "
                        "\"braed\"; did you mean bread?"));
  EXPECT_THAT(
      RunWith({"bake", "bread", "--recpie=rye"}).err,
      HasSubstr("lockstep bake bread: INVALID_ARGUMENT: unexpected argument "
                "\"--recpie=rye\"; did you mean --recipe?"));
  EXPECT_THAT(RunWith({"bake", "bread"}).err,
              HasSubstr("lockstep bake bread: INVALID_ARGUMENT: --recipe is "
                        "required"));
}

TEST(CommandLineTest, HelpShowsTheExampleAndSucceeds) {
  Outcome outcome = RunWith({"cook", "--help"});
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_THAT(outcome.out, HasSubstr("lockstep cook --recipe soup"));
  EXPECT_EQ(outcome.err, "");
}

TEST(CommandLineTest, WithoutACommandHelpGoesToStandardError) {
  Outcome outcome = RunWith({});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_THAT(outcome.err, HasSubstr("cook"));
}

}  // namespace
}  // namespace lockstep::internal
