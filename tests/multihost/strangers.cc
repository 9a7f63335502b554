#include "tests/multihost/strangers.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

// "socket:[12345]" -> port, of sockets of this machine that listen.
std::map<std::string, int> ListeningSockets() {
  std::map<std::string, int> ports;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream file(table);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string slot, local, remote, state, skipped, inode;
      words >> slot >> local >> remote >> state;
      for (int i = 0; i < 5; ++i) words >> skipped;
      words >> inode;
      if (state != "0A") continue;
      const std::string port = local.substr(local.rfind(':') + 1);
      ports[absl::StrCat("socket:[", inode, "]")] =
          std::stoi(port, nullptr, 16);
    }
  }
  return ports;
}

std::string Nonsense(int kind, std::mt19937& random) {
  std::string begin;
  switch (kind % 6) {
    case 0:
      return "";
    case 1:
      break;
    case 2:
      begin = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
      break;
    case 3:
      begin = "\x16\x03\x01";
      break;
    case 4: {
      // UCX's magic number.
      const uint64_t magic = 0xCAFEBABE12345678ull;
      begin.assign(reinterpret_cast<const char*>(&magic), sizeof magic);
      break;
    }
    case 5:
      begin = "LKSHELO1";
      break;
  }
  for (int size = random() % 2000; size > 0; --size) {
    begin.push_back(static_cast<char>(random()));
  }
  return begin;
}

}  // namespace

std::vector<int> ListeningPorts(pid_t process) {
  const std::map<std::string, int> sockets = ListeningSockets();
  std::vector<int> ports;
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(absl::StrCat("/proc/", process, "/fd"), error)) {
    const auto socket =
        sockets.find(fs::read_symlink(entry.path(), error).string());
    if (socket != sockets.end()) ports.push_back(socket->second);
  }
  return ports;
}

int OpenFiles(pid_t process) {
  std::error_code error;
  const fs::directory_iterator files(absl::StrCat("/proc/", process, "/fd"),
                                     error);
  return static_cast<int>(std::distance(begin(files), end(files)));
}

Strangers::~Strangers() {
  for (int connection : connections_) close(connection);
}

void Strangers::Harass(int port, int count) {
  std::mt19937 random(port);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  for (int i = 0; i < count; ++i) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    connections_.push_back(fd);
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address),
                sizeof address) != 0) {
      continue;
    }
    const std::string bytes = Nonsense(i, random);
    (void)!send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
}

int Strangers::AwaitClosed() {
  const absl::Time deadline = absl::Now() + absl::Seconds(30);
  int open = 0;
  char bytes[4096];
  for (int connection : connections_) {
    bool is_closed = false;
    while (!is_closed && absl::Now() < deadline) {
      pollfd descriptor = {connection, POLLIN, 0};
      poll(&descriptor, 1,
           static_cast<int>(absl::ToInt64Milliseconds(deadline - absl::Now())));
      // What it said before it closed does not count.
      is_closed = recv(connection, bytes, sizeof bytes, MSG_DONTWAIT) <= 0 &&
                  descriptor.revents != 0;
    }
    if (!is_closed) ++open;
  }
  return open;
}

}  // namespace lockstep::internal
