// Collectives over processes of this machine, beside the same ones of Open MPI
// over TCP, as ours: between processes they use no shared memory.
//
//   bazel run -c opt //tests/benchmark:collectives_beside_mpi -- --ranks 2,3,4
//
// Two groups of as many processes are there all the time; they take turns, so
// that what else the machine does hits both, and the one that waits sleeps. A
// turn is a number of collectives, one after the other; its time is that of the
// slowest rank. Printed are the medians of the turns. Sizes are those of
// nccl-tests: of the operand or the result, whichever is larger.
//
// In ours ranks that exchange anything compare their calls, so none ends before
// those have begun it. In MPI the root of a broadcast waits for nobody: small
// ones follow each other faster than any of them arrives.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/bench/collective_case.h"
#include "client/process/child_process.h"
#include "runtime/base/check.h"
#include "runtime/base/lock_order.h"
#include "runtime/types/literal.h"
#include "tests/benchmark/collective_ranks.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kSizes[] = {4,         256,     4 << 10, 32 << 10,
                              256 << 10, 1 << 20, 8 << 20, 64 << 20};
constexpr double kTurnSeconds = 0.02;

struct Options {
  std::vector<int> ranks = {2, 3, 4};
  std::vector<std::string> ops;
  int64_t max_bytes = 64 << 20;
  int turns = 9;
};

CollectiveCase CaseOf(int op, int ranks, int64_t bytes) {
  CollectiveCase c{.kind = CollectiveKinds()[op], .ranks = ranks};
  c.bytes = (bytes + c.unit() - 1) / c.unit() * c.unit();
  return c;
}

// What the driver tells a rank, and what it hears.
struct Turn {
  int op = 0;  // of CollectiveKinds
  int ranks = 0;
  int64_t bytes = 0;
  int64_t iterations = 0;
  int64_t is_checked = 0;
};
struct TurnResult {
  double seconds = 0;  // of all iterations
  int64_t wrong = 0;   // elements, when checked
};

// False: the other end is closed.
bool Receive(int socket, void* data, size_t size) {
  return recv(socket, data, size, MSG_WAITALL) == static_cast<ssize_t>(size);
}
void Tell(int socket, const void* data, size_t size) {
  LOCKSTEP_CHECK(send(socket, data, size, MSG_NOSIGNAL) ==
                 static_cast<ssize_t>(size));
}
void TellText(int socket, const std::string& text) {
  const uint64_t size = text.size();
  Tell(socket, &size, sizeof(size));
  Tell(socket, text.data(), size);
}
std::string ReceiveText(int socket) {
  uint64_t size = 0;
  LOCKSTEP_CHECK(Receive(socket, &size, sizeof(size)));
  std::string text(size, '\0');
  LOCKSTEP_CHECK(Receive(socket, text.data(), size));
  return text;
}

sockaddr_un AddressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  LOCKSTEP_CHECK(path.size() < sizeof(address.sun_path));
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

// The operand and result of one case of one rank.
class CaseMemory {
 public:
  CaseMemory(const CollectiveCase& c, int rank)
      : case_(c),
        rank_(rank),
        operand_(static_cast<size_t>(c.operand_count())),
        result_(static_cast<size_t>(c.result_count())) {
    for (size_t i = 0; i < operand_.size(); ++i) {
      operand_[i] = static_cast<float>(
          (static_cast<int64_t>(i) + CollectiveCase::kRankStep * rank) %
          c.modulus());
    }
  }
  bool IsOf(const CollectiveCase& c) const {
    return case_.kind.op == c.kind.op && case_.bytes == c.bytes;
  }
  double Run(CollectiveRank& rank, int64_t iterations) {
    rank.Meet();
    const absl::Time start = absl::Now();
    for (int64_t i = 0; i < iterations; ++i) rank.Run(case_, operand_, result_);
    return absl::ToDoubleSeconds(absl::Now() - start);
  }
  int64_t CountWrong() const {
    return case_.CountWrong(
        rank_, LiteralView(Shape(ElementType::kF32, {case_.result_count()}),
                           reinterpret_cast<const std::byte*>(result_.data())));
  }

 private:
  CollectiveCase case_;
  int rank_;
  std::vector<float> operand_;
  std::vector<float> result_;
};

// A rank's life: turns, until the driver ends.
void Serve(int socket, CollectiveRank& rank) {
  std::unique_ptr<CaseMemory> memory;
  Turn turn;
  while (Receive(socket, &turn, sizeof(turn))) {
    const CollectiveCase c = CaseOf(turn.op, turn.ranks, turn.bytes);
    if (memory == nullptr || !memory->IsOf(c)) {
      memory.reset();
      memory = std::make_unique<CaseMemory>(c, rank.rank());
    }
    TurnResult result;
    result.seconds = memory->Run(rank, turn.iterations);
    if (turn.is_checked != 0) result.wrong = memory->CountWrong();
    Tell(socket, &result, sizeof(result));
  }
}

int RankMain(const std::string& path, const std::string& side, int rank) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = AddressOf(path);
  LOCKSTEP_CHECK(connect(socket, reinterpret_cast<const sockaddr*>(&address),
                         sizeof(address)) == 0);
  DropLockOrderChecks();
  std::unique_ptr<CollectiveRank> mine;
  if (side == "mpi") {
    mine = MakeMpiRank();
    rank = mine->rank();
    Tell(socket, &rank, sizeof(rank));
  } else {
    Tell(socket, &rank, sizeof(rank));
    mine = MakeLockstepRank(rank, [&](const std::string& text) {
      TellText(socket, text);
      uint64_t count = 0;
      LOCKSTEP_CHECK(Receive(socket, &count, sizeof(count)));
      std::vector<std::string> told(count);
      for (std::string& one : told) one = ReceiveText(socket);
      return told;
    });
  }
  Serve(socket, *mine);
  return 0;
}

// The driver's end of one group. A rank that ends early ends the driver.
class Group {
 public:
  // Starts `commands`, whose processes connect to `path`, `ranks` of them.
  Group(const std::string& path, int ranks,
        const std::vector<std::vector<std::string>>& commands)
      : sockets_(ranks, -1) {
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_un address = AddressOf(path);
    LOCKSTEP_CHECK(bind(listener, reinterpret_cast<const sockaddr*>(&address),
                        sizeof(address)) == 0);
    LOCKSTEP_CHECK(listen(listener, ranks) == 0);
    const timeval limit{.tv_sec = 60, .tv_usec = 0};
    LOCKSTEP_CHECK(setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit,
                              sizeof(limit)) == 0);
    for (const std::vector<std::string>& command : commands) {
      ChildProcess::Options options;
      options.name = command[0];
      options.arguments = command;
      absl::StatusOr<ChildProcess> process = ChildProcess::Spawn(options);
      if (!process.ok()) {
        std::fprintf(stderr, "%s\n", process.status().ToString().c_str());
        std::exit(1);
      }
      processes_.push_back(*std::move(process));
    }
    for (int i = 0; i < ranks; ++i) {
      const int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      LOCKSTEP_CHECK(socket >= 0);  // else they do not start
      int rank = 0;
      LOCKSTEP_CHECK(Receive(socket, &rank, sizeof(rank)));
      sockets_.at(rank) = socket;
    }
    close(listener);
  }
  ~Group() {
    for (const int socket : sockets_) close(socket);
    for (ChildProcess& process : processes_) {
      process.AwaitExit(absl::Now() + absl::Seconds(10));
    }
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  // What each rank tells, to all.
  void Exchange() {
    std::vector<std::string> told;
    for (const int socket : sockets_) told.push_back(ReceiveText(socket));
    for (const int socket : sockets_) {
      const uint64_t count = told.size();
      Tell(socket, &count, sizeof(count));
      for (const std::string& one : told) TellText(socket, one);
    }
  }

  // Of the slowest rank.
  TurnResult Run(const Turn& turn) {
    for (const int socket : sockets_) Tell(socket, &turn, sizeof(turn));
    TurnResult all;
    for (const int socket : sockets_) {
      TurnResult one;
      LOCKSTEP_CHECK(Receive(socket, &one, sizeof(one)));
      all.seconds = std::max(all.seconds, one.seconds);
      all.wrong += one.wrong;
    }
    return all;
  }

 private:
  std::vector<int> sockets_;  // by rank
  std::vector<ChildProcess> processes_;
};

// The turns of one group in one case.
class Turns {
 public:
  // Finds how many collectives a turn has, and checks what they give.
  Turns(Group& group, int op, int ranks, int64_t bytes) : group_(group) {
    turn_ = {.op = op, .ranks = ranks, .bytes = bytes, .iterations = 2};
    turn_.is_checked = 1;
    LOCKSTEP_CHECK(group_.Run(turn_).wrong == 0);
    turn_.is_checked = 0;
    const double seconds = std::max(group_.Run(turn_).seconds / 2, 1e-6);
    turn_.iterations =
        static_cast<int64_t>(std::clamp(kTurnSeconds / seconds, 1.0, 2000.0));
  }
  void Take() {
    seconds_.push_back(group_.Run(turn_).seconds /
                       static_cast<double>(turn_.iterations));
  }
  double Median() {
    const auto middle =
        seconds_.begin() + static_cast<int64_t>(seconds_.size()) / 2;
    std::nth_element(seconds_.begin(), middle, seconds_.end());
    return *middle;
  }

 private:
  Group& group_;
  Turn turn_;
  std::vector<double> seconds_;
};

// Its ranks may run on every processor, as ours may.
std::vector<std::string> MpirunCommand(int ranks, const std::string& self,
                                       const std::string& path) {
  return {"/usr/bin/mpirun",
          "-n",
          absl::StrCat(ranks),
          "--allow-run-as-root",
          "--oversubscribe",
          "--bind-to",
          "none",
          "--mca",
          "pml",
          "ob1",
          "--mca",
          "osc",
          "^ucx",
          "--mca",
          "btl",
          "tcp,self",
          "--mca",
          "btl_tcp_if_include",
          "lo",
          self,
          "rank",
          path,
          "mpi",
          "0"};
}

void Compare(const Options& options, int ranks, const std::string& folder) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string ours_path = absl::StrCat(folder, "/lockstep", ranks);
  std::vector<std::vector<std::string>> commands;
  for (int i = 0; i < ranks; ++i) {
    commands.push_back({self, "rank", ours_path, "lockstep", absl::StrCat(i)});
  }
  Group ours(ours_path, ranks, commands);
  ours.Exchange();
  const std::string mpi_path = absl::StrCat(folder, "/mpi", ranks);
  Group mpi(mpi_path, ranks, {MpirunCommand(ranks, self, mpi_path)});
  std::printf("%d processes, float32, both over TCP\n", ranks);
  std::printf("%-15s %12s %14s %14s %7s\n", "collective", "bytes",
              "lockstep (us)", "Open MPI (us)", "ratio");
  for (int op = 0; op < static_cast<int>(CollectiveKinds().size()); ++op) {
    const std::string& name = CollectiveKinds()[op].name;
    if (!options.ops.empty() &&
        std::find(options.ops.begin(), options.ops.end(), name) ==
            options.ops.end()) {
      continue;
    }
    for (const int64_t bytes : kSizes) {
      if (bytes > options.max_bytes) break;
      Turns our_turns(ours, op, ranks, bytes);
      Turns mpi_turns(mpi, op, ranks, bytes);
      for (int i = 0; i < options.turns; ++i) {
        our_turns.Take();
        mpi_turns.Take();
      }
      const double seconds = our_turns.Median();
      const double mpi_seconds = mpi_turns.Median();
      std::printf("%-15s %12lld %14.1f %14.1f %7.2f\n", name.c_str(),
                  static_cast<long long>(CaseOf(op, ranks, bytes).bytes),
                  1e6 * seconds, 1e6 * mpi_seconds, seconds / mpi_seconds);
      std::fflush(stdout);
    }
  }
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Collectives beside those of Open MPI.");
  app.add_option("--ranks", options.ranks, "numbers of processes")
      ->delimiter(',')
      ->check(CLI::Range(2, 64));
  std::vector<std::string> names;
  for (const CollectiveKind& kind : CollectiveKinds()) {
    names.push_back(kind.name);
  }
  app.add_option("--op", options.ops, "only these")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--max-bytes", options.max_bytes, "no larger sizes")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--turns", options.turns, "of each")
      ->check(CLI::Range(1, 999));
  CLI11_PARSE(app, argc, argv);
  std::string folder = "/tmp/collectives_beside_mpi.XXXXXX";
  LOCKSTEP_CHECK(mkdtemp(folder.data()) != nullptr);
  for (const int ranks : options.ranks) Compare(options, ranks, folder);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "rank") {
    return lockstep::internal::RankMain(argv[2], argv[3], std::atoi(argv[4]));
  }
  return lockstep::internal::Main(argc, argv);
}
