// all_reduce over two processes of this machine, beside the limits of the same
// run: memcpy of the bytes, and one exchange of them on the bare transport.
//
//   bazel run -c opt //tests/benchmark:all_reduce_benchmark [-- DEVICES]
//
// DEVICES per process, 1 by default. Times are the median of the rounds; GB/s
// is bytes of the operand by time.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "runtime/base/check.h"
#include "runtime/collectives/hierarchical/hierarchical_clique_provider.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/collectives/ucx/ucx_transport.h"
#include "tests/benchmark/raw_exchange.h"

namespace lockstep::internal {
namespace {

constexpr Incarnation kIncarnation{1};
constexpr int64_t kSizes[] = {4,       1 << 10, 32 << 10, 256 << 10,
                              1 << 20, 8 << 20, 64 << 20};

int RoundsOf(int64_t bytes) {
  return static_cast<int>(
      std::clamp<int64_t>((int64_t{256} << 20) / (bytes + 1), 8, 2000));
}

class AllReduceBench {
 public:
  AllReduceBench(int self, int devices, int socket)
      : self_(self),
        devices_(devices),
        transport_(UcxTransport::Create(UcxTransport::Options()).value()),
        sum_(MakeReduction(ReductionKind::kAdd, ElementType::kF32).value()) {
    HierarchicalCliqueProvider::Options options;
    options.self = {HostId(self), "bench", kIncarnation};
    options.transport = transport_.get();
    provider_ = HierarchicalCliqueProvider::Create(std::move(options)).value();
    std::string address = Swap(socket, transport_->address());
    HostRef peer{HostId(1 - self), "bench", kIncarnation};
    LOCKSTEP_CHECK(provider_->SetPeers({{peer, address}}).ok());
  }

  // Of device 0 of this process; the others run along.
  double Measure(int64_t bytes) {
    ++launch_;
    std::vector<std::thread> threads;
    double seconds = 0;
    for (int d = 0; d < devices_; ++d) {
      threads.emplace_back([this, d, bytes, &seconds] {
        double mine = MeasureDevice(d, bytes);
        if (d == 0) seconds = mine;
      });
    }
    for (std::thread& thread : threads) thread.join();
    return seconds;
  }

 private:
  double MeasureDevice(int local, int64_t bytes) {
    std::vector<CliqueMember> members;
    for (int d = 0; d < 2 * devices_; ++d) {
      members.push_back(
          {GlobalDeviceId(d), HostId(d / devices_), kIncarnation});
    }
    GlobalDeviceId device(self_ * devices_ + local);
    auto communicator = provider_->Acquire(CliqueKey(members), device).value();
    std::vector<float> x(bytes / sizeof(float), 1.0f), y(x.size());
    CancellationToken token;
    CollectiveCall call;
    call.launch = LaunchNumber(launch_);
    call.cancellation = &token;
    return MedianSeconds(RoundsOf(bytes), [&] {
      LOCKSTEP_CHECK(
          communicator->on_host()
              ->AllReduceOnHost(call, reinterpret_cast<std::byte*>(x.data()),
                                reinterpret_cast<std::byte*>(y.data()),
                                x.size(), *sum_)
              .ok());
      ++call.number;
    });
  }

  const int self_;
  const int devices_;
  int64_t launch_ = 0;
  std::unique_ptr<UcxTransport> transport_;
  std::unique_ptr<Reduction> sum_;
  std::unique_ptr<HierarchicalCliqueProvider> provider_;
};

double MeasureMemcpy(int64_t bytes) {
  std::vector<char> from(bytes, 1), to(bytes);
  return MedianSeconds(RoundsOf(bytes), [&] {
    std::memcpy(to.data(), from.data(), bytes);
    asm volatile("" : : "r"(to.data()) : "memory");
  });
}

void Run(int self, int devices, int socket) {
  RawExchange raw(self, socket);
  AllReduceBench bench(self, devices, socket);
  if (self == 0) {
    std::printf("2 processes, %d device(s) each, f32\n", devices);
    std::printf("%10s  %22s  %22s  %22s\n", "bytes", "all_reduce",
                "exchange (transport)", "memcpy");
  }
  auto print = [](int64_t bytes, double seconds) {
    std::printf("  %9.1f us %6.2f GB/s", 1e6 * seconds,
                static_cast<double>(bytes) / seconds / 1e9);
  };
  for (int64_t bytes : kSizes) {
    double reduce = bench.Measure(bytes);
    double exchange =
        MedianSeconds(RoundsOf(bytes), [&] { raw.Exchange(bytes, bytes); });
    if (self != 0) continue;
    std::printf("%10lld", static_cast<long long>(bytes));
    print(bytes, reduce);
    print(bytes, exchange);
    print(bytes, MeasureMemcpy(bytes));
    std::printf("\n");
    std::fflush(stdout);
  }
  Swap(socket, "done");
}

int Main(int devices) {
  int sockets[2];
  LOCKSTEP_CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  pid_t child = fork();
  if (child == 0) {
    Run(1, devices, sockets[1]);
    return 0;
  }
  Run(0, devices, sockets[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::Main(argc > 1 ? std::max(1, std::atoi(argv[1]))
                                           : 1);
}
