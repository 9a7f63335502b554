#include "runtime/collectives/ucx/ucx_gate.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "absl/time/clock.h"
#include "runtime/collectives/ucx/ucx_sockets.h"

namespace lockstep::internal {
namespace {

constexpr char kMark[UcxGate::kMarkBytes + 1] = "LKSHELO1";
constexpr size_t kMaxSecrets = 64;
// UCX says little before it is answered. The kernel keeps as much.
constexpr int kMoreThanAnyoneSays = 1 << 14;

thread_local UcxGate* gate_of_thread = nullptr;

absl::Mutex& ListenersMutex() {
  static absl::Mutex& mutex = *new absl::Mutex;
  return mutex;
}
std::map<int, UcxGate*>& Listeners() {
  static auto& listeners = *new std::map<int, UcxGate*>;
  return listeners;
}

UcxGate::Hello HelloWith(absl::string_view secret) {
  UcxGate::Hello hello = {};
  std::memcpy(hello.data(), kMark, UcxGate::kMarkBytes);
  std::memcpy(hello.data() + UcxGate::kMarkBytes, secret.data(),
              std::min(secret.size(), UcxGate::kSecretBytes));
  return hello;
}

// In a time that does not depend on where they differ.
bool AreEqual(const UcxGate::Hello& a, absl::string_view b) {
  if (b.size() != a.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

ino_t InodeOf(int fd) {
  struct stat status = {};
  return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

// UCX hears that the other side is gone, and closes the file itself.
void EndConnection(int fd) { shutdown(fd, SHUT_RDWR); }

// How many bytes must be there for the socket to count as readable.
void WakeAt(int fd, int bytes) {
  setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes);
}

int OpenSpareFile() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

}  // namespace

UcxGate::UcxGate(const Options& options)
    : options_(options), spare_fd_(OpenSpareFile()) {}

UcxGate::~UcxGate() {
  {
    absl::MutexLock lock(&ListenersMutex());
    std::erase_if(Listeners(),
                  [this](const auto& entry) { return entry.second == this; });
  }
  absl::MutexLock lock(&mutex_);
  for (const Waiting& waiting : waiting_) ReleaseUcxSocket(waiting.fd, this);
  if (spare_fd_ >= 0) close(spare_fd_);
}

UcxGate::Scope::Scope(UcxGate* gate)
    : previous_(std::exchange(gate_of_thread, gate)) {}
UcxGate::Scope::~Scope() { gate_of_thread = previous_; }

UcxGate* UcxGate::OfThread() { return gate_of_thread; }

UcxGate* UcxGate::OfListener(int listen_fd) {
  absl::MutexLock lock(&ListenersMutex());
  auto it = Listeners().find(listen_fd);
  return it == Listeners().end() ? nullptr : it->second;
}

void UcxGate::AddListener(int listen_fd) {
  {
    absl::MutexLock lock(&ListenersMutex());
    Listeners()[listen_fd] = this;
  }
  absl::MutexLock lock(&mutex_);
  listeners_.insert(listen_fd);
}

bool UcxGate::is_listening() const {
  absl::MutexLock lock(&mutex_);
  return !listeners_.empty();
}

bool UcxGate::has_secrets() const {
  absl::MutexLock lock(&mutex_);
  return !known_.empty();
}

void UcxGate::SetSecrets(const std::vector<std::string>& secrets) {
  absl::MutexLock lock(&mutex_);
  for (auto secret = secrets.rbegin(); secret != secrets.rend(); ++secret) {
    const Hello hello = HelloWith(*secret);
    std::erase(known_, hello);
    known_.push_front(hello);
  }
  while (known_.size() > kMaxSecrets) known_.pop_back();
  for (const Waiting& waiting : waiting_) {
    if (IsKnown(waiting.hello)) WakeAt(waiting.fd, 1);
  }
}

UcxGate::Hello UcxGate::OwnHello() const {
  absl::MutexLock lock(&mutex_);
  return known_.empty() ? Hello() : known_.front();
}

bool UcxGate::IsKnown(absl::string_view hello) const {
  bool is_known = false;
  for (const Hello& known : known_) is_known |= AreEqual(known, hello);
  return is_known;
}

void UcxGate::CloseOverdue(absl::Time now) {
  absl::MutexLock lock(&mutex_);
  for (Waiting& waiting : waiting_) {
    if (now < waiting.until || waiting.is_overdue) continue;
    waiting.is_overdue = true;
    if (InodeOf(waiting.fd) == waiting.inode) EndConnection(waiting.fd);
  }
}

void UcxGate::Forget(int fd) {
  std::erase_if(waiting_,
                [fd](const Waiting& waiting) { return waiting.fd == fd; });
  waiting_count_ = waiting_.size();
}

int UcxGate::Accept(int listen_fd) {
  absl::MutexLock lock(&mutex_);
  while (true) {
    const int fd = accept4(listen_fd, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (errno == EMFILE || errno == ENFILE) {
        RefuseOneForLackOfFiles(listen_fd);
      }
      return -1;
    }
    if (!HoldUcxSocket(fd, this)) {
      close(fd);
      continue;
    }
    Forget(fd);  // an earlier one under its number
    if (waiting_.size() >= options_.max_waiting) {
      Waiting& oldest = waiting_.front();
      if (InodeOf(oldest.fd) == oldest.inode) EndConnection(oldest.fd);
      waiting_.pop_front();
    }
    waiting_.push_back(
        {fd, InodeOf(fd), absl::Now() + options_.silent_patience});
    waiting_count_ = waiting_.size();
    return fd;
  }
}

void UcxGate::RefuseOneForLackOfFiles(int listen_fd) {
  // With the file that is kept for this: a connection that waits would wake
  // UCX again and again.
  if (spare_fd_ >= 0) close(spare_fd_);
  const int fd = accept4(listen_fd, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd >= 0) close(fd);
  spare_fd_ = OpenSpareFile();
}

UcxGate::Verdict UcxGate::Judge(int fd) {
  absl::MutexLock lock(&mutex_);
  const auto refuse = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    Forget(fd);
    ReleaseUcxSocket(fd, this);
    return Verdict::kRefused;
  };
  const auto it =
      std::find_if(waiting_.begin(), waiting_.end(),
                   [fd](const Waiting& waiting) { return waiting.fd == fd; });
  if (it == waiting_.end() || it->is_overdue) return refuse();
  if (it->hello.empty()) {
    Hello hello;
    const ssize_t size =
        recv(fd, hello.data(), hello.size(), MSG_PEEK | MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) {
      return Verdict::kWaits;
    }
    if (size <= 0 || std::memcmp(hello.data(), kMark,
                                 std::min<size_t>(size, kMarkBytes)) != 0) {
      return refuse();
    }
    if (size < static_cast<ssize_t>(hello.size())) {
      // Awake again without the rest: it has hung up.
      if (std::exchange(it->is_partial, true)) return refuse();
      WakeAt(fd, hello.size());
      return Verdict::kWaits;
    }
    (void)!recv(fd, hello.data(), hello.size(), MSG_DONTWAIT);
    it->hello.assign(hello.data(), hello.size());
    it->until = absl::Now() + options_.unknown_patience;
  } else if (!IsKnown(it->hello)) {
    // Awake although nobody woke it: it has hung up, or says too much.
    return refuse();
  }
  if (!IsKnown(it->hello)) {
    WakeAt(fd, kMoreThanAnyoneSays);
    return Verdict::kWaits;
  }
  WakeAt(fd, 1);
  Forget(fd);
  ReleaseUcxSocket(fd, this);
  return Verdict::kAdmitted;
}

}  // namespace lockstep::internal
