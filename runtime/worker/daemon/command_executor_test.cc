#include "runtime/worker/daemon/command_executor.h"

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/convert_profile.h"
#include "runtime/arrays/buffer_testing.h"
#include "runtime/base/cancellation.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr GlobalDeviceId kDevice{0};

class FakeProgram : public LoadedProgram {
 public:
  explicit FakeProgram(std::string name) : name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  const DeviceAssignment& assignment() const override { return assignment_; }
  const std::vector<Shape>& argument_shapes() const override { return shapes_; }
  const std::vector<Shape>& result_shapes() const override { return shapes_; }
  uint64_t fingerprint() const override { return 1; }
  const std::vector<GlobalDeviceId>& local_devices() const override {
    return devices_;
  }

 private:
  std::string name_;
  DeviceAssignment assignment_ = DeviceAssignment::Iota(1, 1);
  std::vector<Shape> shapes_ = {Shape(ElementType::kF32, {})};
  std::vector<GlobalDeviceId> devices_ = {kDevice};
};

// Compiles every text but "bad"; a launch returns its argument.
class FakeWorker : public Worker {
 public:
  ControlPlane& control_plane() override { std::abort(); }
  PreemptionPoint& preemption_point() override { std::abort(); }
  HostId host_id() const override { return HostId(0); }
  const World& world() const override { return world_; }
  LocalDevice* local_device(GlobalDeviceId) const override {
    return &TestDevice();
  }
  absl::StatusOr<std::unique_ptr<CallTurn>> BeginCall(
      CallRequest request) override {
    CallTurn::Parts parts;
    parts.place.number = LaunchNumber(request.command->sequence);
    parts.request = std::move(request);
    return std::make_unique<CallTurn>(std::move(parts));
  }
  absl::StatusOr<std::shared_ptr<LoadedProgram>> Load(
      ProgramSpec spec, const CallTurn&) override {
    specs.push_back(spec);
    if (spec.text == "slow") may_load.WaitForNotification();
    if (spec.text == "bad") return absl::InvalidArgumentError("bad program");
    return std::make_shared<FakeProgram>(spec.name);
  }
  absl::StatusOr<ShardLists> Launch(
      const std::shared_ptr<LoadedProgram>& program,
      const ShardLists& arguments, const CallTurn&,
      ProfileRequest profile) override {
    launches.push_back(program->name());
    this->profile = std::move(profile);
    launched_here = std::this_thread::get_id() == caller;
    return arguments;
  }
  void FailCall(const CallTurn&, const absl::Status& cause) override {
    failures.push_back(std::string(cause.message()));
  }
  void BeginSequencesAnew(const std::vector<HostRef>&, absl::string_view,
                          int64_t) override {}
  void Cancel(const std::shared_ptr<LoadedProgram>& program,
              const absl::Status& cause) override {
    cancelled.push_back(program->name());
  }
  absl::Status Synchronize(absl::Time) override { return absl::OkStatus(); }
  absl::Status Depart(const absl::Status&) override { std::abort(); }
  absl::Status Shutdown() override { return absl::OkStatus(); }

  std::vector<ProgramSpec> specs;
  ProfileRequest profile;  // of the latest launch
  std::vector<std::string> launches;
  std::vector<std::string> failures;
  std::vector<std::string> cancelled;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> launched_here = false;  // the latest, on the test's thread
  absl::Notification may_load;

 private:
  World world_;
};

class CommandExecutorTest : public ::testing::Test {
 protected:
  ArrayHandle Array(int64_t number) { return {client_, number}; }

  // Runs the commands to the end.
  void Run(std::vector<Command> commands) {
    CommandExecutor executor(&worker_, &arrays_);
    for (Command& command : commands) executor.Enqueue(std::move(command));
  }
  Command Load(int64_t number, std::string text, std::string name = "",
               std::vector<int> donated_arguments = {}) {
    return {0, LoadProgram{{client_, number},
                           std::move(text),
                           DeviceAssignment::Iota(1, 1),
                           std::move(name),
                           std::move(donated_arguments)}};
  }
  Command Launch(int64_t program, int64_t argument, int64_t result) {
    return {0, LaunchProgram{
                   {client_, program}, {Array(argument)}, {Array(result)}}};
  }
  void Put(int64_t number, float value) {
    ASSERT_TRUE(
        arrays_
            .Put(Array(number), {ReadyBuffer(Literal::Scalar(value), kDevice)})
            .ok());
  }

  const ClientId client_{5};
  FakeWorker worker_;
  ArrayStore arrays_;
};

TEST_F(CommandExecutorTest, LoadsAndLaunchesInOrder) {
  Put(1, 4);
  Run({Load(1, "a", "first", {0, 2}), Load(2, "b", "second"), Launch(2, 1, 2),
       Launch(1, 2, 3)});
  EXPECT_THAT(worker_.launches, ElementsAre("second", "first"));
  EXPECT_THAT(worker_.specs[0].donated_arguments, ElementsAre(0, 2));
  auto result = arrays_.Find(Array(3), kDevice);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(FetchLiteral(**result)->data<float>()[0], 4);
}

TEST_F(CommandExecutorTest, LaunchesWaitForALoadAndThenRunAtOnce) {
  Put(1, 4);
  CommandExecutor executor(&worker_, &arrays_);
  executor.Enqueue(Load(1, "slow"));
  executor.Enqueue(Launch(1, 1, 2));
  EXPECT_EQ(arrays_.Find(Array(2), kDevice).status().code(),
            absl::StatusCode::kNotFound);
  worker_.may_load.Notify();
  // A launch that comes while the one before it ends is queued, too.
  CancellationToken never;
  for (int64_t result = 2; !worker_.launched_here; ++result) {
    const auto made =
        arrays_.Await(Array(result), kDevice, absl::InfiniteFuture(), &never);
    ASSERT_TRUE(made.ok()) << made.status();
    executor.Enqueue(Launch(1, 1, result + 1));
  }
}

TEST_F(CommandExecutorTest, AProgramThatDoesNotCompilePoisonsItsResults) {
  Put(1, 4);
  Run({Load(1, "bad"), Launch(1, 1, 2), Load(2, "good"), Launch(2, 1, 3)});
  EXPECT_EQ(arrays_.Find(Array(2), kDevice).status(),
            absl::InvalidArgumentError("bad program"));
  EXPECT_TRUE(arrays_.Find(Array(3), kDevice).ok());
}

TEST_F(CommandExecutorTest, AMissingArgumentFailsTheLaunchOnAllHosts) {
  Run({Load(1, "a"), Launch(1, 9, 2)});
  EXPECT_THAT(worker_.failures, ElementsAre(HasSubstr("array 9 of client 5")));
  EXPECT_THAT(arrays_.Find(Array(2), kDevice).status().message(),
              HasSubstr("array 9 of client 5"));
}

TEST_F(CommandExecutorTest, AnUnknownProgramIsNotFound) {
  Run({Launch(4, 1, 2)});
  EXPECT_EQ(arrays_.Find(Array(2), kDevice).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(CommandExecutorTest, AProfileBecomesAnArray) {
  Put(1, 4);
  Command timed = Launch(1, 1, 2);
  auto& launch = std::get<LaunchProgram>(timed.action);
  launch.profile = LaunchProgram::Profile{Array(3), 17};
  Run({Load(1, "a"), timed});
  EXPECT_EQ(worker_.profile.most_events, 17);
  EXPECT_TRUE(arrays_.HasPending(client_));
  DeviceProfile found;
  found.device = kDevice;
  found.threads = 5;
  worker_.profile.on_done(std::vector<DeviceProfile>{found});
  const auto array = arrays_.Find(Array(3), kDevice);
  ASSERT_TRUE(array.ok()) << array.status();
  const Literal value = *FetchLiteral(**array);
  const auto bytes = value.data<uint8_t>();
  const auto profile =
      ProfileOf({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_EQ(profile->threads, 5);
}

TEST_F(CommandExecutorTest, TheProfileOfALaunchThatFailsHasItsCause) {
  Command timed = Launch(1, 9, 2);
  auto& launch = std::get<LaunchProgram>(timed.action);
  launch.profile = LaunchProgram::Profile{Array(3), 17};
  Run({Load(1, "a"), timed});
  EXPECT_THAT(arrays_.Find(Array(3), kDevice).status().message(),
              HasSubstr("array 9 of client 5"));
}

TEST_F(CommandExecutorTest, CloseClientFreesItsArrays) {
  Put(1, 4);
  Run({Load(1, "a"), Launch(1, 1, 2), {0, DeleteArrays{{Array(1)}}}});
  EXPECT_EQ(arrays_.size(), 1);
  Run({{0, CloseClient{client_}}});
  EXPECT_EQ(arrays_.size(), 0);
}

TEST_F(CommandExecutorTest, CloseClientEndsWhatItStillRuns) {
  Run({Load(1, "a", "forever"), Load(2, "bad"), {0, CloseClient{client_}}});
  EXPECT_THAT(worker_.cancelled, ElementsAre("forever"));
}

}  // namespace
}  // namespace lockstep::internal
