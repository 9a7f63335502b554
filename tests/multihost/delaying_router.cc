// delaying_router DEVICE MILLISECONDS: makes a tun device whose packets come
// back to it after a time. Routing sends what is to be delayed into it. For
// kernels without tc's netem. Runs until it is killed.
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace lockstep::internal {
namespace {

struct Packet {
  absl::Time due;
  std::string bytes;
};

int OpenTun(const char* name) {
  const int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
  ifreq request = {};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (fd < 0 || ioctl(fd, TUNSETIFF, &request) != 0) {
    std::perror("delaying_router: tun");
    return -1;
  }
  return fd;
}

int Run(const char* name, absl::Duration delay) {
  const int fd = OpenTun(name);
  if (fd < 0) return 1;
  std::deque<Packet> packets;
  std::string buffer(65536, '\0');
  while (true) {
    int timeout_ms = -1;
    if (!packets.empty()) {
      const absl::Duration left =
          std::max(packets.front().due - absl::Now(), absl::ZeroDuration());
      timeout_ms = static_cast<int>(
          absl::ToInt64Milliseconds(absl::Ceil(left, absl::Milliseconds(1))));
    }
    pollfd descriptor = {fd, POLLIN, 0};
    if (poll(&descriptor, 1, timeout_ms) > 0) {
      const ssize_t size = read(fd, buffer.data(), buffer.size());
      if (size > 0) {
        packets.push_back({absl::Now() + delay, buffer.substr(0, size)});
      }
    }
    while (!packets.empty() && packets.front().due <= absl::Now()) {
      const std::string& bytes = packets.front().bytes;
      (void)!write(fd, bytes.data(), bytes.size());
      packets.pop_front();
    }
  }
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: delaying_router DEVICE MILLISECONDS\n");
    return 2;
  }
  return lockstep::internal::Run(argv[1],
                                 absl::Milliseconds(std::atoi(argv[2])));
}
