#include "tests/multihost/lockstep_command.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

// In the environment of everything that this test process starts.
std::string Mark() { return absl::StrCat("LOCKSTEP_TEST_MARK=", getpid()); }

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

// Both pipes at once, so that neither fills up.
void ReadBoth(int out_fd, int err_fd, CommandResult& result) {
  struct pollfd fds[] = {{out_fd, POLLIN, 0}, {err_fd, POLLIN, 0}};
  std::string* texts[] = {&result.out, &result.err};
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    if (poll(fds, 2, -1) < 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (fds[i].revents == 0) continue;
      char buffer[4096];
      ssize_t n = read(fds[i].fd, buffer, sizeof buffer);
      if (n <= 0) {
        fds[i].fd = -1;
      } else {
        texts[i]->append(buffer, n);
      }
    }
  }
}

}  // namespace

std::string LockstepPath() {
  // tests/conformance/fake_platform has a binary of its own.
  const char* const other = getenv("LOCKSTEP_TEST_BINARY");
  return (fs::current_path() /
          (other == nullptr ? "client/cli/lockstep" : other))
      .string();
}

ChildProcess StartLockstep(const std::string& name,
                           std::vector<std::string> arguments,
                           bool captures_output,
                           std::vector<std::string> prefix,
                           std::map<std::string, std::string> environment) {
  ChildProcess::Options options;
  options.name = name;
  options.arguments = std::move(prefix);
  options.arguments.push_back(LockstepPath());
  options.arguments.insert(options.arguments.end(), arguments.begin(),
                           arguments.end());
  environment.try_emplace("LOCKSTEP_TEST_MARK", absl::StrCat(getpid()));
  environment.try_emplace("LOCKSTEP_BINARY", LockstepPath());
  // Hosts that share GPUs: NCCL takes each for a machine of its own.
  environment.try_emplace("NCCL_HOSTID", name);
  options.environment.assign(environment.begin(), environment.end());
  options.captures_stdout = captures_output;
  options.captures_stderr = captures_output;
  absl::StatusOr<ChildProcess> process = ChildProcess::Spawn(options);
  if (!process.ok()) {
    ADD_FAILURE() << process.status();
    abort();
  }
  return std::move(*process);
}

CommandResult RunLockstep(std::vector<std::string> arguments,
                          std::map<std::string, std::string> environment) {
  std::string name = absl::StrCat("lockstep ", arguments.at(0));
  ChildProcess process = StartLockstep(name, std::move(arguments), true, {},
                                       std::move(environment));
  return Finish(process);
}

CommandResult Finish(ChildProcess& process) {
  CommandResult result;
  ReadBoth(process.stdout_fd(), process.stderr_fd(), result);
  result.exit = *process.AwaitExit(absl::InfiniteFuture());
  return result;
}

std::string ReadLine(int fd) {
  std::string line;
  char c;
  while (read(fd, &c, 1) == 1) {
    if (c == '\n') return line;
    line.push_back(c);
  }
  return "";
}

std::vector<std::string> LeftProcesses() {
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    int pid = 0;
    if (!absl::SimpleAtoi(entry.path().filename().string(), &pid)) continue;
    std::string environment =
        absl::StrCat(std::string(1, '\0'), ReadFile(entry.path() / "environ"));
    std::string mark =
        absl::StrCat(std::string(1, '\0'), Mark(), std::string(1, '\0'));
    if (!absl::StrContains(environment, mark)) continue;
    std::string command = ReadFile(entry.path() / "cmdline");
    std::replace(command.begin(), command.end(), '\0', ' ');
    left.push_back(absl::StrCat(pid, ": ", command));
  }
  return left;
}

bool IsListening(const std::string& address) {
  size_t colon = address.rfind(':');
  int port = 0;
  if (colon == std::string::npos ||
      !absl::SimpleAtoi(address.substr(colon + 1), &port)) {
    return false;
  }
  UniqueFd socket_fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in to = {};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(port));
  if (inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr) != 1) {
    return false;
  }
  return connect(socket_fd.get(), reinterpret_cast<sockaddr*>(&to),
                 sizeof to) == 0;
}

}  // namespace lockstep::internal
