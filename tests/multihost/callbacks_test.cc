// Row M-12 of docs/behaviour/multihost.md with real hosts of two devices each,
// and in the global view.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr char kProgram[] = "tests/multihost/callbacks_program";

TEST(CallbacksTest, EachHostSeesItsDevicesInTheOrderOfTheProgram_M12) {
  const auto hosts = RunHosts(kProgram, "ordered", {2, 2});
  EXPECT_THAT(
      hosts[0],
      ElementsAre("[12. 13.]", "device 0: x 0.0, sum 6.0, sum 12.0, end 12.0",
                  "device 1: x 1.0, sum 7.0, sum 13.0, end 13.0"));
  EXPECT_THAT(
      hosts[1],
      ElementsAre("[14. 15.]", "device 2: x 2.0, sum 8.0, sum 14.0, end 14.0",
                  "device 3: x 3.0, sum 9.0, sum 15.0, end 15.0"));
}

TEST(CallbacksTest, OneThatFailsIsNamedOnAllHosts_M12) {
  const auto hosts = RunHosts(kProgram, "fails_on_one", {2, 2});
  for (const Lines& host : hosts) {
    ASSERT_THAT(host, SizeIs(3));
    EXPECT_THAT(host[0], AllOf(HasSubstr("callbacks_program.cc:"),
                               HasSubstr("io_callback: sample is torn")));
    EXPECT_EQ(host[1], "soon");
    EXPECT_EQ(host[2], "[6. 6.]");
  }
  EXPECT_THAT(hosts[0][0],
              AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)"),
                    HasSubstr("DATA_LOSS")));
  EXPECT_THAT(hosts[1][0], StartsWith("DATA_LOSS: "));
}

TEST(CallbacksTest, AnExceptionIsUnknownOnItsHost_M12) {
  const auto hosts = RunHosts(kProgram, "throws", {2, 2});
  ASSERT_THAT(hosts[0], SizeIs(1));
  ASSERT_THAT(hosts[1], SizeIs(1));
  EXPECT_THAT(hosts[0][0],
              AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)"),
                    HasSubstr("the callback threw \"broken\"")));
  EXPECT_THAT(hosts[1][0], AllOf(StartsWith("UNKNOWN: "),
                                 HasSubstr("the callback threw \"broken\"")));
}

TEST(CallbacksTest, NobodyIsMetOrLeftWithinOne_M12) {
  for (const Lines& host : RunHosts(kProgram, "meets_within", {1, 1})) {
    ASSERT_THAT(host, SizeIs(7));
    EXPECT_EQ(host[0], "[1.]");
    for (size_t i = 1; i < 6; ++i) {
      EXPECT_THAT(host[i], AllOf(StartsWith("FAILED_PRECONDITION: "),
                                 HasSubstr("callbacks_program.cc:"),
                                 HasSubstr("debug_callback: a callback cannot "
                                           "launch programs, meet other hosts "
                                           "or leave the cluster")))
          << i;
    }
    EXPECT_EQ(host[6], "OK");
  }
}

TEST(CallbacksTest, EachHostPrintsForItsDevices_M12) {
  const auto hosts = RunHosts(kProgram, "prints", {2, 2});
  EXPECT_THAT(hosts[0],
              UnorderedElementsAre("0: sum 6.0", "1: sum 6.0", "[0. 1.]"));
  EXPECT_THAT(hosts[1],
              UnorderedElementsAre("2: sum 6.0", "3: sum 6.0", "[2. 3.]"));
}

// What all processes of a cluster have logged.
std::string AllLogs(const std::string& directory) {
  std::stringstream all;
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    all << std::ifstream(file.path()).rdbuf();
  }
  return all.str();
}

TEST(CallbacksTest, InTheGlobalViewOnlyPrintsRun_M12) {
  setenv("LOCKSTEP_BINARY", LockstepPath().c_str(), 1);
  const std::string logs = absl::StrCat(::testing::TempDir(), "/callback_logs");
  std::filesystem::create_directories(logs);
  auto client = Client::Embedded(
      {.hosts = 2, .devices_per_host = 1, .log_directory = logs});
  ASSERT_TRUE(client.ok()) << client.status();
  const auto f = client->pmap([](Tensor x) {
    return io_callback([](const Literal& x) { return x; }, x.shape(), {x});
  });
  const Array x({1.f, 2.f});
  EXPECT_THAT(StatusLine(f(x).status()),
              AllOf(StartsWith("UNIMPLEMENTED: "),
                    HasSubstr("the io_callback of callbacks_test.cc:"),
                    HasSubstr("return the value as a result")));
  const auto g = client->pmap([](Tensor x) {
    debug_print("{device}: x is {}", x);
    return x;
  });
  const auto y = g(x);
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(*y->ToString(), "[1. 2.]");
  EXPECT_THAT(AllLogs(logs), AllOf(HasSubstr("\n0: x is 1.0\n"),
                                   HasSubstr("\n1: x is 2.0\n")));

  // The text of such a program, which the worker refuses.
  const auto text = client->LoadProgram(R"(
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %y = stablehlo.custom_call @lockstep.callback(%x) {
        api_version = 4 : i32, backend_config = {name = "io_callback",
        number = 0 : i64, ordered = false, place = "train.cc:12"},
        has_side_effect = true} : (tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    })",
                                        {.file_name = "m.mlir"});
  ASSERT_TRUE(text.ok()) << text.status();
  const auto results = client->Run(*text, {Array({1.f})});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT(StatusLine((*results)[0].Fetch().status()),
              AllOf(HasSubstr("UNIMPLEMENTED: "),
                    HasSubstr("the io_callback of train.cc:12")));
}

}  // namespace
}  // namespace lockstep::internal
