// Arrays of global shape on 2 hosts x 4 devices, each host a process of this
// machine: made of what the hosts have, read, and resharded from rows to
// columns. Beside it, in the same processes and at the same time on both: a
// copy of a host's part, and as many bytes over the bare transport as the
// reshard sends. Then the same once more with all copies counted.
//
//   LOCKSTEP_BINARY=bazel-bin/client/cli/lockstep global_array_benchmark [MIB]
//
// MIB of the whole array, 1024. Seconds are the median of the rounds on host 0,
// from one meeting of the hosts to the moment when it has what it asked for.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "client/process/child_process.h"
#include "runtime/base/check.h"
#include "runtime/base/parallel_copy.h"
#include "runtime/base/status.h"
#include "tests/benchmark/counted_run.h"
#include "tests/benchmark/raw_exchange.h"

namespace lockstep::internal {
namespace {

constexpr int kHosts = 2;
constexpr int kDevicesPerHost = 4;
constexpr int kRounds = 5;
constexpr int64_t kColumns = 8192;
constexpr int64_t kMessageBytes = int64_t{8} << 20;

class HostBenchmark {
 public:
  HostBenchmark(int self, int socket, int64_t bytes)
      : self_(self),
        part_(bytes / kHosts),
        // Half of each host's rows belong to the other one's columns.
        sent_(part_ / kHosts),
        counts_(CountsOfRun()),
        exchange_(self, socket) {}

  absl::Status Run() {
    ASSIGN_OR_RETURN(
        const Mesh mesh,
        Mesh::Create({{kHosts * kDevicesPerHost}, devices()}, {"x"}));
    ASSIGN_OR_RETURN(const NamedSharding rows,
                     NamedSharding::Create(mesh, PartitionSpec("x")));
    ASSIGN_OR_RETURN(const NamedSharding columns,
                     NamedSharding::Create(mesh, PartitionSpec(nullptr, "x")));
    std::vector<float> values(part_ / sizeof(float));
    std::iota(values.begin(), values.end(), static_cast<float>(self_));
    const auto host_rows = static_cast<int64_t>(values.size()) / kColumns;
    ASSIGN_OR_RETURN(const Array data,
                     Array::FromValues({host_rows, kColumns}, values));
    PrintTitle();
    std::vector<float> other(values.size());
    ASSIGN_OR_RETURN(const double copied, Measure([&] {
                       ParallelCopy(
                           reinterpret_cast<std::byte*>(other.data()),
                           reinterpret_cast<const std::byte*>(values.data()),
                           part_);
                       return absl::OkStatus();
                     }));
    Print("a copy of a host's part (limit)", copied, part_, copied);
    Array array;
    ASSIGN_OR_RETURN(const double made, Measure([&]() -> absl::Status {
                       ASSIGN_OR_RETURN(
                           array, make_array_from_process_local_data(
                                      rows, data, {}, {.check_equal = false}));
                       return array.Await();
                     }));
    Print("make_array_from_process_local_data", made, part_, copied);
    ASSIGN_OR_RETURN(
        const double fetched, Measure([&]() -> absl::Status {
          for (const ArrayShard& shard : array.addressable_shards()) {
            RETURN_IF_ERROR(shard.data->Fetch().status());
          }
          return absl::OkStatus();
        }));
    Print("Fetch of the shards of a host", fetched, part_, copied);
    ASSIGN_OR_RETURN(const double exchanged, Measure([&] {
                       exchange_.Exchange(sent_, kMessageBytes);
                       return absl::OkStatus();
                     }));
    Print("exchange on the bare transport (limit)", exchanged, sent_,
          exchanged);
    ASSIGN_OR_RETURN(const double resharded, Measure([&]() -> absl::Status {
                       ASSIGN_OR_RETURN(const Array moved,
                                        device_put(array, columns));
                       return moved.Await();
                     }));
    Print("device_put from rows to columns", resharded, sent_, exchanged);
    return absl::OkStatus();
  }

 private:
  // The median over the rounds, each of which both hosts begin together.
  absl::StatusOr<double> Measure(const std::function<absl::Status()>& call) {
    const int rounds = counts_ == nullptr ? kRounds : 1;
    std::vector<double> seconds;
    for (int i = 0; i <= rounds; ++i) {
      RETURN_IF_ERROR(SyncHosts("end of a round"));
      if (counts_ != nullptr && self_ == 0) {
        counts_->copies = counts_->copied_bytes = counts_->moved_bytes = 0;
      }
      RETURN_IF_ERROR(SyncHosts("begin of a round"));
      const absl::Time start = absl::Now();
      RETURN_IF_ERROR(call());
      if (i == 0) continue;  // compiles
      seconds.push_back(absl::ToDoubleSeconds(absl::Now() - start));
    }
    RETURN_IF_ERROR(SyncHosts("end of a measurement"));
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }

  void PrintTitle() const {
    if (self_ != 0) return;
    const std::string title =
        absl::StrCat(part_ * kHosts >> 20, " MiB on 2 hosts x 4 devices");
    if (counts_ == nullptr) {
      std::printf("%-44s %9s %8s %8s\n", title.c_str(), "ms", "GB/s",
                  "of limit");
    } else {
      std::printf("%-44s %9s %8s\n", "  MiB on both hosts", "copied", "moved");
    }
  }

  void Print(const char* what, double seconds, int64_t bytes,
             double limit) const {
    if (self_ != 0) return;
    if (counts_ == nullptr) {
      std::printf("  %-42s %9.2f %8.2f %7.0f%%\n", what, seconds * 1e3,
                  static_cast<double>(bytes) / seconds / 1e9,
                  100 * limit / seconds);
    } else {
      std::printf("  %-42s %9.1f %8.1f\n", what,
                  static_cast<double>(counts_->copied_bytes) / (1 << 20),
                  static_cast<double>(counts_->moved_bytes) / (1 << 20));
    }
    std::fflush(stdout);
  }

  const int self_;
  const int64_t part_;
  const int64_t sent_;
  CopyCounts* const counts_;
  RawExchange exchange_;
};

absl::Status RunHost(int self, int socket, int64_t bytes,
                     const std::string& coordinator) {
  InitializeOptions options;
  options.coordinator_address = coordinator;
  options.requested_rank = self;
  options.num_cpu_devices = kDevicesPerHost;
  RETURN_IF_ERROR(Initialize(options));
  RETURN_IF_ERROR(HostBenchmark(self, socket, bytes).Run());
  return Shutdown();
}

absl::Status Main(const std::string& binary, int64_t bytes) {
  ChildProcess::Options options;
  options.name = "coordinator";
  options.arguments = {binary, "coordinator",
                       absl::StrCat("--expected-hosts=", kHosts)};
  options.stderr_path = "/dev/null";
  options.merges_stdout = true;
  ASSIGN_OR_RETURN(ChildProcess coordinator, ChildProcess::Spawn(options));
  ASSIGN_OR_RETURN(const std::string address,
                   coordinator.AwaitReady(absl::Now() + absl::Seconds(30)));
  int sockets[2];
  LOCKSTEP_CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const absl::Status status = RunHost(1, sockets[1], bytes, address);
    if (!status.ok()) std::fprintf(stderr, "%s\n", StatusLine(status).c_str());
    _exit(status.ok() ? 0 : 1);
  }
  close(sockets[1]);
  const absl::Status status = RunHost(0, sockets[0], bytes, address);
  int ended = 0;
  waitpid(child, &ended, 0);
  RETURN_IF_ERROR(status);
  return ended == 0 ? absl::OkStatus() : absl::InternalError("host 1 failed");
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  const char* const binary = std::getenv("LOCKSTEP_BINARY");
  int64_t mebibytes = 1024;
  if (binary == nullptr ||
      (argc > 1 && !absl::SimpleAtoi(argv[1], &mebibytes))) {
    std::fprintf(stderr, "usage: LOCKSTEP_BINARY=.. %s [MIB]\n", argv[0]);
    return 2;
  }
  const bool is_counted = lockstep::internal::CountsOfRun() != nullptr;
  // In a process of its own, so that the counted run starts anew.
  const pid_t child = is_counted ? 0 : fork();
  if (child == 0) {
    const absl::Status status =
        lockstep::internal::Main(binary, mebibytes << 20);
    if (is_counted) lockstep::internal::EndCountedRun();
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n",
                   lockstep::internal::StatusLine(status).c_str());
    }
    return status.ok() ? 0 : 1;
  }
  int ended = 0;
  waitpid(child, &ended, 0);
  if (ended != 0) return 1;
  lockstep::internal::RunWithCounter(argv);
}
