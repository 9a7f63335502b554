// What it costs, and what it saves, to run a collective beside other work on
// the platform cpu: a launch of one device that sums a tensor and then makes as
// many bytes of another one, over a link that does nothing and over one of 10
// Gbit/s, with the sum where it stands and beside the other work. Decides the
// defaults of OverlapPolicy.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "runtime/base/check.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/devices/platform.h"
#include "runtime/executable/collective_overlap.h"
#include "runtime/executable/collective_thunk.h"
#include "runtime/executable/copy_thunk.h"
#include "runtime/executor/device_launch.h"

namespace lockstep::internal {
namespace {

constexpr int kRounds = 41;
constexpr double kLinkBytesPerMicrosecond = 1250;  // 10 Gbit/s

// The endpoint of a clique of one member that copies its operand, as long as a
// link takes.
class LinkCommunicator final : public HostCommunicator {
 public:
  LinkCommunicator(CliqueKey key, bool takes_time)
      : key_(std::move(key)), takes_time_(takes_time) {}

  const CliqueKey& key() const override { return key_; }
  int rank() const override { return 0; }

  absl::Status AllReduceOnHost(const CollectiveCall&, const std::byte* operand,
                               std::byte* result, int64_t count,
                               const Reduction& reduction) override {
    const int64_t bytes = count * ByteSize(reduction.element_type());
    if (takes_time_) {
      absl::SleepFor(absl::Microseconds(static_cast<double>(bytes) /
                                        kLinkBytesPerMicrosecond));
    }
    std::memcpy(result, operand, static_cast<size_t>(bytes));
    return absl::OkStatus();
  }
  absl::Status AllReduceTogether(const CollectiveCall&,
                                 absl::Span<const RankOperand>, int64_t,
                                 const Reduction&) override {
    return absl::UnimplementedError("not measured");
  }
  absl::Status ReduceScatterOnHost(const CollectiveCall&, const std::byte*,
                                   std::byte*, int64_t,
                                   const Reduction&) override {
    return absl::UnimplementedError("not measured");
  }
  absl::Status AllGatherOnHost(const CollectiveCall&,
                               absl::Span<const std::byte>,
                               absl::Span<std::byte>) override {
    return absl::UnimplementedError("not measured");
  }
  absl::Status AllToAllOfPartsOnHost(const CollectiveCall&, const TensorParts&,
                                     const TensorParts&,
                                     absl::Span<const std::byte>,
                                     absl::Span<std::byte>) override {
    return absl::UnimplementedError("not measured");
  }
  absl::Status PermuteOnHost(const CollectiveCall&, std::optional<int>,
                             absl::Span<const int>, absl::Span<const std::byte>,
                             absl::Span<std::byte>) override {
    return absl::UnimplementedError("not measured");
  }
  absl::Status BroadcastOnHost(const CollectiveCall&, int,
                               absl::Span<const std::byte>,
                               absl::Span<std::byte>) override {
    return absl::UnimplementedError("not measured");
  }
  absl::Status RaggedAllToAllOnHost(const CollectiveCall&, const RaggedSlices&,
                                    absl::Span<const std::byte>,
                                    absl::Span<std::byte>) override {
    return absl::UnimplementedError("not measured");
  }

 private:
  const CliqueKey key_;
  const bool takes_time_;
};

class LinkProvider final : public CliqueProvider {
 public:
  explicit LinkProvider(bool takes_time) : takes_time_(takes_time) {}
  absl::StatusOr<std::shared_ptr<Communicator>> Acquire(
      const CliqueKey& key, GlobalDeviceId) override {
    return std::make_shared<LinkCommunicator>(key, takes_time_);
  }

 private:
  const bool takes_time_;
};

// Arena: the operand, the sum, a source and its copy, `bytes` each.
Executable MakeExecutable(int64_t bytes, const OverlapPolicy& policy) {
  auto slice = [bytes](int i) { return BufferSlice{0, i * bytes, bytes}; };
  const Shape shape(ElementType::kF32, {bytes / 4});
  CollectiveThunk::Parameters parameters;
  parameters.groups = {{0}};
  parameters.reduction = *MakeReduction(ReductionKind::kAdd, ElementType::kF32);
  ThunkSequence thunks;
  thunks.Append(std::make_unique<CollectiveThunk>(
      "benchmark", std::move(parameters),
      std::vector<TensorSlice>{{slice(0), shape}},
      std::vector<TensorSlice>{{slice(1), shape}}));
  thunks.Append(std::make_unique<CopyThunk>("benchmark", slice(2), slice(3)));
  Executable::Parts parts;
  parts.name = "overlap";
  parts.allocations = {{BufferAllocation::Kind::kArena, 0, 4 * bytes}};
  parts.clique_slot_count = 1;
  parts.thunks = OverlapCollectives(std::move(thunks), policy);
  return Executable(std::move(parts));
}

double MicrosecondsPerLaunch(int64_t bytes, bool takes_time,
                             const OverlapPolicy& policy) {
  const Executable executable = MakeExecutable(bytes, policy);
  const auto platform = *MakePlatform("cpu", {});
  LinkProvider provider(takes_time);
  LaunchArena arena(GlobalDeviceId(0), *platform->devices()[0]);
  const std::vector<CliqueMember> members = {
      {GlobalDeviceId(0), HostId(0), Incarnation(1)}};
  LaunchInfo info;
  info.program = "overlap";
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    LaunchGroup group({1, nullptr, absl::ZeroDuration()});
    ProgressCell cell;
    DeviceLaunch launch;
    launch.executable = &executable;
    launch.info = &info;
    launch.members = members;
    launch.clique_provider = &provider;
    launch.arena = &arena;
    launch.group = &group;
    launch.progress = &cell;
    const absl::Time start = absl::Now();
    LOCKSTEP_CHECK(RunOnDevice(launch, {}).ok());
    times.push_back(absl::ToDoubleMicroseconds(absl::Now() - start));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int Main() {
  std::printf("%10s  %22s  %22s\n", "", "no link (us)", "10 Gbit/s (us)");
  std::printf("%10s  %10s  %10s  %10s  %10s\n", "KiB", "in place", "beside",
              "in place", "beside");
  for (int64_t bytes = 4 << 10; bytes <= 16 << 20; bytes *= 4) {
    std::printf("%10d", static_cast<int>(bytes >> 10));
    for (bool takes_time : {false, true}) {
      std::printf(
          "  %10.1f  %10.1f",
          MicrosecondsPerLaunch(bytes, takes_time, OverlapPolicy::Never()),
          MicrosecondsPerLaunch(bytes, takes_time, OverlapPolicy::Always()));
    }
    std::printf("\n");
  }
  return 0;
}

}  // namespace
}  // namespace lockstep::internal

int main() { return lockstep::internal::Main(); }
