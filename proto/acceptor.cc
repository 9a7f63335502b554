#include "proto/acceptor.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/security/socket_address.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kHttp2 = "PRI * HTTP/2.0\r\n";
constexpr absl::string_view kTls = "\x16\x03";

// A socket told apart from a later one under the same number.
struct OpenSocket {
  int fd = -1;
  ino_t inode = 0;

  bool is_open() const {
    struct stat status = {};
    return fstat(fd, &status) == 0 && status.st_ino == inode;
  }
};

OpenSocket Identify(int fd) {
  struct stat status = {};
  fstat(fd, &status);
  return {fd, status.st_ino};
}

absl::Status CannotListen(const std::string& address, int error) {
  return absl::UnavailableError(
      absl::StrCat("cannot listen on ", address,
                   ": it is in use, or not an address of this machine (",
                   strerror(error), ")"));
}

class PollingAcceptor : public Acceptor {
 public:
  explicit PollingAcceptor(const Options& options) : options_(options) {}

  ~PollingAcceptor() override {
    if (thread_.joinable()) {
      const uint64_t one = 1;
      (void)!write(wake_fd_, &one, sizeof one);
      thread_.join();
    }
    for (const Silent& silent : silent_) close(silent.fd);
    for (int fd : {listen_fd_, wake_fd_, spare_fd_}) {
      if (fd >= 0) close(fd);
    }
  }

  absl::Status Listen() {
    ASSIGN_OR_RETURN(const std::vector<SocketAddress> addresses,
                     ResolveSocketAddresses(options_.address));
    int error = 0;
    for (const SocketAddress& address : addresses) {
      error = Bind(address);
      if (error == 0) break;
    }
    if (error != 0) return CannotListen(options_.address, error);
    SocketAddress bound;
    bound.size = sizeof bound.storage;
    getsockname(listen_fd_, reinterpret_cast<sockaddr*>(&bound.storage),
                &bound.size);
    // The port lies at the same place in both families.
    const int port =
        ntohs(reinterpret_cast<const sockaddr_in&>(bound.storage).sin_port);
    address_ = absl::StrCat(
        options_.address.substr(0, options_.address.rfind(':')), ":", port);
    wake_fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    ReserveFile();
    if (wake_fd_ < 0) return CannotListen(options_.address, errno);
    return absl::OkStatus();
  }

  const std::string& address() const override { return address_; }

  void Start(std::function<void(int)> take) override {
    take_ = std::move(take);
    thread_ = std::thread([this] {
      SetThreadName("acceptor");
      Run();
    });
  }

 private:
  struct Silent {
    int fd;
    absl::Time until;
  };

  int Bind(const SocketAddress& address) {
    const int fd = socket(address.storage.ss_family,
                          SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return errno;
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, address.get(), address.size) != 0 ||
        listen(fd, SOMAXCONN) != 0) {
      const int error = errno;
      close(fd);
      return error;
    }
    listen_fd_ = fd;
    return 0;
  }

  void Run() {
    std::vector<pollfd> descriptors;
    while (true) {
      descriptors = {{wake_fd_, POLLIN, 0}, {listen_fd_, POLLIN, 0}};
      for (const Silent& silent : silent_) {
        descriptors.push_back({silent.fd, POLLIN, 0});
      }
      int wait = -1;
      if (!silent_.empty()) {
        const absl::Duration left = silent_.front().until - absl::Now();
        wait = 1 + static_cast<int>(
                       std::max<int64_t>(0, absl::ToInt64Milliseconds(left)));
      }
      poll(descriptors.data(), descriptors.size(), wait);
      if (descriptors[0].revents != 0) return;
      JudgeSilent(descriptors);
      if (descriptors[1].revents != 0) AcceptAll();
    }
  }

  // `descriptors` has two entries, then those of silent_.
  void JudgeSilent(const std::vector<pollfd>& descriptors) {
    const absl::Time now = absl::Now();
    std::deque<Silent> still_silent;
    for (size_t i = 0; i < silent_.size(); ++i) {
      const Silent& silent = silent_[i];
      if (descriptors[i + 2].revents != 0) {
        Judge(silent.fd);
      } else if (now >= silent.until) {
        close(silent.fd);
      } else {
        still_silent.push_back(silent);
      }
    }
    silent_ = std::move(still_silent);
  }

  void AcceptAll() {
    while (true) {
      const int fd =
          accept4(listen_fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE) {
          if (RefuseOne()) continue;
          return;
        }
        // The connection that failed; others may wait.
        if (errno == ECONNABORTED || errno == EINTR) continue;
        return;
      }
      if (IsFull()) {
        close(fd);
        continue;
      }
      if (silent_.size() >= options_.max_silent) {
        close(silent_.front().fd);
        silent_.pop_front();
      }
      silent_.push_back({fd, absl::Now() + options_.patience});
      PeekAtNewest();
    }
  }

  // Most connections speak at once.
  void PeekAtNewest() {
    char byte = 0;
    const int fd = silent_.back().fd;
    if (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0) return;
    silent_.pop_back();
    Judge(fd);
  }

  // Closes a connection that waits, with the file that is kept for that:
  // otherwise it would wait, and wake this thread, for ever. False: no luck.
  bool RefuseOne() {
    if (spare_fd_ < 0) ReserveFile();
    if (spare_fd_ < 0) return false;
    close(std::exchange(spare_fd_, -1));
    const int fd = accept4(listen_fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd >= 0) close(fd);
    ReserveFile();
    return fd >= 0;
  }

  void ReserveFile() { spare_fd_ = open("/dev/null", O_RDONLY | O_CLOEXEC); }

  // Whether a connection that has spoken is one of ours; owns `fd`.
  void Judge(int fd) {
    const absl::string_view expected = options_.is_encrypted ? kTls : kHttp2;
    char begin[kHttp2.size()];
    const ssize_t size =
        recv(fd, begin, expected.size(), MSG_PEEK | MSG_DONTWAIT);
    if (size <= 0 ||
        !absl::StartsWith(expected,
                          absl::string_view(begin, size > 0 ? size : 0))) {
      close(fd);
      return;
    }
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    taken_.push_back(Identify(fd));
    take_(fd);
  }

  bool IsFull() {
    if (taken_.size() < options_.max_connections) return false;
    // Counting costs a system call per connection.
    const absl::Time now = absl::Now();
    if (now < next_count_) return true;
    next_count_ = now + absl::Milliseconds(100);
    std::erase_if(taken_,
                  [](const OpenSocket& socket) { return !socket.is_open(); });
    return taken_.size() >= options_.max_connections;
  }

  const Options options_;
  std::string address_;
  int listen_fd_ = -1;
  int wake_fd_ = -1;
  int spare_fd_ = -1;
  std::function<void(int)> take_;

  // The thread's own, from Start on.
  std::deque<Silent> silent_;  // by time
  std::vector<OpenSocket> taken_;
  absl::Time next_count_ = absl::InfinitePast();

  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Acceptor>> Acceptor::Listen(
    const Options& options) {
  auto acceptor = std::make_unique<PollingAcceptor>(options);
  RETURN_IF_ERROR(acceptor->Listen());
  return acceptor;
}

}  // namespace lockstep::internal
