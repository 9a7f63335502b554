// Checkpoints with real hosts, which may be killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/lockstep.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/checkpoint_program";

class CheckpointTest : public ::testing::Test {
 protected:
  CheckpointTest() : folder_(::testing::TempDir() + "/checkpoint.XXXXXX") {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
  }
  ~CheckpointTest() override { std::filesystem::remove_all(folder_); }

  std::vector<ChildProcess> Start(const HostCoordinator& coordinator,
                                  const std::string& scenario,
                                  const std::vector<int>& devices,
                                  Variables more = {}) const {
    more.push_back({"CHECKPOINT_FOLDER", folder_});
    std::vector<ChildProcess> hosts;
    for (size_t rank = 0; rank < devices.size(); ++rank) {
      hosts.push_back(StartHost(kProgram, scenario, coordinator.address(), rank,
                                devices[rank], more));
    }
    return hosts;
  }
  // What each host printed, by rank; a host fails the test when it fails,
  // unless it was `killed`.
  std::vector<Lines> RunScenario(const std::string& scenario,
                                 const std::vector<int>& devices,
                                 Variables more = {}, int killed = -1) const {
    const HostCoordinator coordinator(devices.size());
    std::vector<ChildProcess> hosts =
        Start(coordinator, scenario, devices, std::move(more));
    std::vector<Lines> lines;
    for (size_t rank = 0; rank < hosts.size(); ++rank) {
      const CommandResult result = Finish(hosts[rank]);
      EXPECT_EQ(result.exit.is_success(), static_cast<int>(rank) != killed)
          << HostName(rank) << ": " << result.exit.ToString() << "\n"
          << result.out;
      lines.push_back(absl::StrSplit(result.out, '\n', absl::SkipEmpty()));
    }
    return lines;
  }
  Lines Files() const {
    Lines names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  std::string folder_;
};

TEST_F(CheckpointTest, ArraysOfTwoHostsAreRestoredOnAnyNumberOfHosts) {
  EXPECT_THAT(RunScenario("save", {2, 2}), Each(ElementsAre("OK")));
  EXPECT_THAT(Files(), SizeIs(3)) << "the manifest, and a file of each host";
  for (const std::vector<int>& devices :
       {std::vector<int>{1}, {4}, {2, 2}, {1, 1, 1}, {3, 1, 2}}) {
    const auto lines = RunScenario("restore", devices);
    for (size_t host = 0; host < devices.size(); ++host) {
      const int here = devices[host];
      EXPECT_THAT(lines[host],
                  ElementsAre(absl::StrCat("columns ", here, " grid ", here,
                                           " same ", here, ": good"),
                              "step 7: 1"));
    }
  }
  const auto other = RunScenario("other_mesh", {2, 2});
  EXPECT_THAT(other[0], ElementsAre("columns 2 grid 2 same 2: good",
                                    "columns 1 grid 1 same 1: good",
                                    "columns 0 grid 0 same 0: good"));
  EXPECT_THAT(other[1], ElementsAre("columns 2 grid 2 same 2: good",
                                    "columns 1 grid 1 same 1: good",
                                    "columns 2 grid 2 same 2: good"));
}

TEST_F(CheckpointTest, BothViewsHaveTheSameCheckpoints) {
  EXPECT_THAT(RunScenario("save", {2, 2}), Each(ElementsAre("OK")));
  ProcessCluster::Options options;
  options.hosts = 2;
  options.devices_per_host = 3;
  ProcessCluster cluster(options);
  const auto client = Client::Connect(cluster.address());
  ASSERT_TRUE(client.ok()) << client.status();
  const auto shapes = checkpoint_shapes(folder_);
  ASSERT_TRUE(shapes.ok()) << shapes.status();
  const RestoreOptions here = {.view = client->view()};
  const auto values = restore(folder_, *shapes, Tree<NamedSharding>(), here);
  ASSERT_TRUE(values.ok()) << values.status();
  const NamedSharding columns =
      *NamedSharding::Create(*Mesh::Create({{6}, client->devices()}, {"x"}),
                             PartitionSpec(nullptr, "x"));
  const std::map<std::string, Shape> some = {{"columns", shapes->at("columns")},
                                             {"grid", shapes->at("grid")}};
  auto arrays = restore(folder_, some, columns,
                        {.allow_unused = true, .view = client->view()});
  ASSERT_TRUE(arrays.ok()) << arrays.status();
  for (const auto& [name, array] : *arrays) {
    EXPECT_EQ(array.sharding(), Sharding(columns));
    EXPECT_EQ(*array.Fetch(), *values->at(name).host_value());
  }
  arrays->emplace("same", values->at("same"));
  arrays->emplace("step", values->at("step"));
  const absl::Status saved = save(folder_, *arrays, {.view = client->view()});
  EXPECT_TRUE(saved.ok()) << saved;
  EXPECT_THAT(Files(), SizeIs(2)) << "the caller writes all";
  EXPECT_THAT(RunScenario("restore", {1, 2}), Each(SizeIs(2)));
}

TEST_F(CheckpointTest, HostsThatDifferAreNamedOnAll) {
  const auto lines = RunScenario("differences", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(7)));
  const auto both =
      AllOf(HasSubstr("host 0 (host0)"), HasSubstr("host 1 (host1)"));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], "OK");
    EXPECT_THAT(host[1], AllOf(StartsWith("FAILED_PRECONDITION: save: "), both,
                               HasSubstr("'columns' 'same'")));
    EXPECT_THAT(host[2], AllOf(StartsWith("FAILED_PRECONDITION: save: "), both,
                               HasSubstr("array ''"), HasSubstr("value")));
    EXPECT_THAT(host[4], AllOf(HasSubstr("rows of this host"),
                               HasSubstr("host_to_global_array")));
    EXPECT_THAT(host[5], AllOf(StartsWith("FAILED_PRECONDITION: "), both,
                               HasSubstr("on devices 3 1 2 0")));
    EXPECT_EQ(host[6], "columns 2 grid 2 same 2: good");
  }
  EXPECT_THAT(lines[0][3],
              AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)"),
                    HasSubstr("array 'grid': no such batch")));
  EXPECT_EQ(lines[1][3], "DATA_LOSS: save: array 'grid': no such batch");
  EXPECT_THAT(Files(), SizeIs(3)) << "what was not used is removed";
}

TEST_F(CheckpointTest, HostsWithoutAPartAreNotAsked) {
  const auto lines = RunScenario("elsewhere", {1, 2, 1});
  EXPECT_THAT(lines[0],
              ElementsAre("OK", "OK", "columns 1 grid 1 same 1: good"));
  EXPECT_THAT(lines[1], ElementsAre("OK", "columns 2 grid 2 same 2: good", "OK",
                                    "columns 0 grid 0 same 0: good"));
}

TEST_F(CheckpointTest, DamageThatOneHostFindsIsTheErrorOfAll) {
  EXPECT_THAT(RunScenario("save", {2, 2}), Each(ElementsAre("OK")));
  // In the columns of a device of one host.
  std::string path;
  for (const std::string& name : Files()) {
    if (name != "manifest.json") path = folder_ + "/" + name;
  }
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const char first = static_cast<char>(file.get());
  file.seekp(0);
  file.put(static_cast<char>(first ^ 1));
  file.close();
  int found = 0;
  for (const Lines& host : RunScenario("restore", {2, 2})) {
    ASSERT_THAT(host, SizeIs(2));
    EXPECT_THAT(host[0], AllOf(HasSubstr(path), HasSubstr("were changed")));
    EXPECT_THAT(host[1], AllOf(HasSubstr(path), HasSubstr("were changed")));
    if (absl::StartsWith(host[0], "DATA_LOSS: restore: ")) {
      ++found;
    } else {
      EXPECT_THAT(host[0], AllOf(StartsWith("ABORTED: "), HasSubstr("(host")));
    }
  }
  EXPECT_EQ(found, 1);
}

TEST_F(CheckpointTest, HostThatIsKilledInASaveIsNamedAndThePreviousOneHolds) {
  for (int lost : {1, 0}) {
    const auto lines = RunScenario("lost_host", {1, 1, 1},
                                   {{"LOST", absl::StrCat(lost)}}, lost);
    for (int rank : {0, 1, 2}) {
      if (rank == lost) continue;
      ASSERT_THAT(lines[rank], SizeIs(6));
      EXPECT_EQ(lines[rank][0], "OK");
      EXPECT_THAT(
          lines[rank][1],
          AllOf(StartsWith("ABORTED: save: "),
                HasSubstr(absl::StrCat("host ", lost, " (host", lost, ")"))));
      EXPECT_EQ(lines[rank][2], "columns 1 grid 1 same 1: good");
      EXPECT_EQ(lines[rank][3], "OK");
      EXPECT_EQ(lines[rank][4], "columns 1 grid 1 same 1: good");
      EXPECT_EQ(lines[rank][5], "7");
    }
    EXPECT_THAT(Files(), SizeIs(3)) << "what the lost host left is gone";
  }
}

// Waits for `event` of a file in the folder whose name begins with `prefix`.
void AwaitFileEvent(const std::string& folder, uint32_t event,
                    absl::string_view prefix) {
  const int watch = inotify_init1(IN_CLOEXEC);
  ASSERT_GE(inotify_add_watch(watch, folder.c_str(), event), 0);
  alignas(inotify_event) char buffer[4096];
  bool is_there = false;
  while (!is_there) {
    const ssize_t size = read(watch, buffer, sizeof(buffer));
    ASSERT_GT(size, 0);
    for (ssize_t at = 0; at < size;) {
      const auto* const each =
          reinterpret_cast<const inotify_event*>(buffer + at);
      is_there = is_there || absl::StartsWith(each->name, prefix);
      at += static_cast<ssize_t>(sizeof(inotify_event) + each->len);
    }
  }
  close(watch);
}

// LOCKSTEP_KILL_ROUNDS: how many times the hosts are killed (8).
size_t KillRounds() {
  const char* text = std::getenv("LOCKSTEP_KILL_ROUNDS");
  size_t rounds = 8;
  EXPECT_TRUE(text == nullptr || absl::SimpleAtoi(text, &rounds)) << text;
  return rounds;
}

TEST_F(CheckpointTest, ProcessesThatAreKilledLeaveTheOldOrTheNewOne) {
  // The steps of a save: each round kills after one of them, in turns.
  constexpr struct {
    uint32_t event;
    const char* file;
  } kSteps[] = {{IN_CREATE, "shards."},      {IN_MODIFY, "shards."},
                {IN_MOVED_TO, "shards."},    {IN_CREATE, "manifest."},
                {IN_MOVED_TO, "manifest."},  {IN_DELETE, "shards."},
                {IN_CLOSE_WRITE, "shards."}, {IN_CLOSE_WRITE, "manifest."}};

  std::minstd_rand random(11);
  int32_t saved = 0;
  const size_t rounds = KillRounds();
  for (size_t round = 0; round < rounds; ++round) {
    SCOPED_TRACE(absl::StrCat("round ", round));
    const auto& step = kSteps[round % std::size(kSteps)];
    Variables more;
    if (round > 0) more.push_back({"GOES_ON", "1"});
    const HostCoordinator coordinator(2);
    std::vector<ChildProcess> hosts =
        Start(coordinator, "many_saves", {2, 2}, more);
    if (round > 0) {
      std::string line = ReadLine(hosts[0].stdout_fd());
      absl::string_view number = line;
      int32_t found = 0;
      ASSERT_TRUE(absl::ConsumePrefix(&number, "found ") &&
                  absl::SimpleAtoi(number, &found))
          << line;
      EXPECT_GE(found, saved);
      EXPECT_LE(found, saved + 1);
      saved = found;
    }
    const int lines = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < lines; ++i) {
      EXPECT_EQ(ReadLine(hosts[0].stdout_fd()),
                absl::StrCat("saved ", saved + 1));
      ++saved;
    }
    AwaitFileEvent(folder_, step.event, step.file);
    for (ChildProcess& host : hosts) host.Signal(SIGKILL);
    // What they said before that.
    std::string line = ReadLine(hosts[0].stdout_fd());
    while (!line.empty()) {
      EXPECT_EQ(line, absl::StrCat("saved ", ++saved));
      line = ReadLine(hosts[0].stdout_fd());
    }
    for (ChildProcess& host : hosts) {
      host.AwaitExit(absl::Now() + absl::Seconds(30));
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
