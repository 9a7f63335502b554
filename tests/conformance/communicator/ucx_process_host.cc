// One host of ucx_process_test: a process with one device. Reads commands from
// file descriptor 3, one per line, and answers each with lines on it:
//   (start)              -> "address HEX"
//   peers HEX HEX ...    -> "ready"
//   loop BYTES RANKS     -> "round" after every all_reduce over the hosts of
//                           RANKS ("0,1,2"), until one fails: "failed CODE
//                           MESSAGE"
//   once BYTES RANKS     -> "ok" or "failed CODE MESSAGE"
//   cancel MESSAGE       -> (ends the loop)
//   exit
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/hierarchical_clique_provider.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/collectives/ucx/ucx_transport.h"

namespace lockstep::internal {
namespace {

constexpr Incarnation kIncarnation{77};

class ProcessHost {
 public:
  ProcessHost(HostId id, FILE* control) : id_(id), control_(control) {
    transport_ = UcxTransport::Create(UcxTransport::Options()).value();
    HierarchicalCliqueProvider::Options options;
    options.self = Ref(id);
    options.transport = transport_.get();
    provider_ = HierarchicalCliqueProvider::Create(std::move(options)).value();
    Say(absl::StrCat("address ",
                     absl::BytesToHexString(transport_->address())));
  }
  ~ProcessHost() {
    if (looping_.joinable()) looping_.join();
  }

  // False at the end.
  bool Obey(const std::string& line) {
    std::vector<std::string> words = absl::StrSplit(line, ' ');
    if (words[0] == "peers") {
      SetPeers({words.begin() + 1, words.end()});
    } else if (words[0] == "loop" || words[0] == "once") {
      Start(words[0] == "loop", std::stol(words[1]), words[2]);
    } else if (words[0] == "cancel") {
      token_->Cancel(absl::CancelledError(words[1]));
    } else {
      return false;
    }
    return true;
  }

 private:
  static HostRef Ref(HostId id) {
    return {id, absl::StrCat("process", id.value()), kIncarnation};
  }

  void Say(const std::string& line) {
    absl::MutexLock lock(&mutex_);
    std::fprintf(control_, "%s\n", line.c_str());
    std::fflush(control_);
  }

  void SetPeers(const std::vector<std::string>& addresses) {
    std::vector<HierarchicalCliqueProvider::Peer> peers;
    for (size_t h = 0; h < addresses.size(); ++h) {
      peers.push_back({Ref(HostId(static_cast<int32_t>(h))),
                       absl::HexStringToBytes(addresses[h])});
    }
    LOCKSTEP_CHECK(provider_->SetPeers(peers).ok());
    Say("ready");
  }

  void Start(bool is_loop, int64_t bytes, const std::string& ranks) {
    if (looping_.joinable()) looping_.join();
    ++launch_;
    token_ = std::make_unique<CancellationToken>();
    looping_ = std::thread([this, is_loop, bytes, ranks] {
      absl::Status status = Run(is_loop, bytes, ranks);
      if (status.ok()) {
        Say("ok");
        return;
      }
      provider_->AbortLaunch({Epoch(1), 9, LaunchNumber(launch_)}, status);
      Say(absl::StrCat("failed ", absl::StatusCodeToString(status.code()), " ",
                       status.message()));
    });
  }

  absl::Status Run(bool is_loop, int64_t bytes, const std::string& ranks) {
    std::vector<CliqueMember> members;
    for (absl::string_view rank : absl::StrSplit(ranks, ',')) {
      int32_t host = 0;
      LOCKSTEP_CHECK(absl::SimpleAtoi(rank, &host));
      members.push_back({GlobalDeviceId(host), HostId(host), kIncarnation});
    }
    CliqueKey key(members);
    ASSIGN_OR_RETURN(std::shared_ptr<Communicator> communicator,
                     provider_->Acquire(key, GlobalDeviceId(id_.value())));
    auto sum = MakeReduction(ReductionKind::kAdd, ElementType::kS32).value();
    std::vector<int32_t> x(bytes / 4, id_.value() + 1), y(x.size());
    int32_t expected = 0;
    for (const CliqueMember& member : members) {
      expected += member.host.value() + 1;
    }
    CollectiveCall call;
    call.epoch = Epoch(1);
    call.launch_sequence = 9;
    call.launch = LaunchNumber(launch_);
    call.cancellation = token_.get();
    do {
      RETURN_IF_ERROR(communicator->on_host()->AllReduceOnHost(
          call, reinterpret_cast<std::byte*>(x.data()),
          reinterpret_cast<std::byte*>(y.data()), x.size(), *sum));
      for (int32_t value : y) LOCKSTEP_CHECK(value == expected);
      ++call.number;
      if (is_loop) Say("round");
    } while (is_loop);
    return absl::OkStatus();
  }

  const HostId id_;
  FILE* const control_;
  absl::Mutex mutex_;
  std::unique_ptr<UcxTransport> transport_;
  std::unique_ptr<HierarchicalCliqueProvider> provider_;
  int64_t launch_ = 0;
  std::unique_ptr<CancellationToken> token_;
  std::thread looping_;
};

int Main(int id) {
  FILE* control = fdopen(3, "r+");
  ProcessHost host(HostId(id), control);
  FILE* commands = fdopen(dup(3), "r");
  char* line = nullptr;
  size_t capacity = 0;
  ssize_t size = 0;
  while ((size = getline(&line, &capacity, commands)) > 0) {
    if (!host.Obey(std::string(line, size - 1))) return 0;
  }
  return 1;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return argc == 2 ? lockstep::internal::Main(std::atoi(argv[1])) : 2;
}
