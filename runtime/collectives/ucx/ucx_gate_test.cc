// Strangers at the port of a transport.
#include "runtime/collectives/ucx/ucx_gate.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "runtime/collectives/ucx/ucx_transport.h"

namespace lockstep::internal {
namespace {

class CountingHandler : public TransportHandler {
 public:
  void OnMessage(HostId, Incarnation, absl::string_view,
                 std::shared_ptr<const MessageBuffer>) override {
    absl::MutexLock lock(&mutex_);
    ++count_;
  }
  void OnPeerFailed(HostId, Incarnation, const absl::Status&) override {}
  int count() {
    absl::MutexLock lock(&mutex_);
    return count_;
  }
  bool AwaitCount(int count, absl::Duration timeout = absl::Seconds(30)) {
    auto has_come = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
      return count_ >= count;
    };
    absl::MutexLock lock(&mutex_);
    return mutex_.AwaitWithTimeout(absl::Condition(&has_come), timeout);
  }

 private:
  absl::Mutex mutex_;
  int count_ = 0;
};

std::vector<sockaddr_in> ListeningAddresses() {
  std::vector<sockaddr_in> addresses;
  for (int fd = 0; fd < 1024; ++fd) {
    int is_listening = 0;
    socklen_t size = sizeof is_listening;
    sockaddr_in address = {};
    socklen_t address_size = sizeof address;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) == 0 &&
        is_listening != 0 &&
        getsockname(fd, reinterpret_cast<sockaddr*>(&address), &address_size) ==
            0 &&
        address.sin_family == AF_INET) {
      addresses.push_back(address);
    }
  }
  return addresses;
}

int ConnectTo(const sockaddr_in& address) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_EQ(
      connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address),
      0);
  return fd;
}

bool AwaitClosed(int fd) {
  pollfd descriptor = {fd, POLLIN, 0};
  char byte = 0;
  return poll(&descriptor, 1, 30000) == 1 && recv(fd, &byte, 1, 0) <= 0;
}

class Pair {
 public:
  Pair(const std::vector<std::string>& from_secrets,
       const std::vector<std::string>& to_secrets) {
    EXPECT_TRUE(from_->Start(HostId(0), Incarnation(1), &sending_).ok());
    EXPECT_TRUE(to_->Start(HostId(1), Incarnation(2), &counting_).ok());
    if (!from_secrets.empty()) from_->SetSecrets(from_secrets);
    if (!to_secrets.empty()) to_->SetSecrets(to_secrets);
  }
  ~Pair() {
    from_->Stop();
    to_->Stop();
  }
  // Of this pair: one that cannot be closed cleanly keeps its ports.
  std::vector<sockaddr_in> ports() const {
    std::vector<sockaddr_in> ports;
    for (const sockaddr_in& address : ListeningAddresses()) {
      const auto is_same = [&](const sockaddr_in& other) {
        return other.sin_port == address.sin_port;
      };
      if (std::none_of(before_.begin(), before_.end(), is_same)) {
        ports.push_back(address);
      }
    }
    EXPECT_FALSE(ports.empty());
    return ports;
  }
  void SendOne() {
    EXPECT_TRUE(
        from_->SetPeers({{HostId(1), Incarnation(2), to_->address()}}).ok());
    from_->Send(HostId(1), "hello", nullptr);
  }
  UcxTransport& from() { return *from_; }
  UcxTransport& to() { return *to_; }
  void Receive() {
    EXPECT_TRUE(
        to_->SetPeers({{HostId(0), Incarnation(1), from_->address()}}).ok());
  }
  CountingHandler& received() { return counting_; }

 private:
  const std::vector<sockaddr_in> before_ = ListeningAddresses();
  CountingHandler sending_, counting_;
  std::unique_ptr<UcxTransport> from_ =
      UcxTransport::Create(UcxTransport::Options()).value();
  std::unique_ptr<UcxTransport> to_ =
      UcxTransport::Create(UcxTransport::Options()).value();
};

// When both sides connect at once, UCX keeps the connection of one of them,
// whichever that is: both must be let in.
TEST(UcxGate, SecretOfAnyRememberedEpochIsAccepted) {
  Pair pair({"new", "old"}, {"old", "new"});
  pair.Receive();
  pair.SendOne();
  EXPECT_TRUE(pair.received().AwaitCount(1));
}

TEST(UcxGate, WhoHasTheOlderSecretMayLearnTheNewOneLater) {
  Pair pair({"old"}, {"new", "old"});
  pair.Receive();
  pair.SendOne();
  EXPECT_FALSE(pair.received().AwaitCount(2, absl::Milliseconds(300)));
  pair.from().SetSecrets({"new"});
  EXPECT_TRUE(pair.received().AwaitCount(1));
}

TEST(UcxGate, OtherSecretIsNot) {
  Pair pair({"guess"}, {"secret"});
  pair.SendOne();
  pair.Receive();
  EXPECT_FALSE(pair.received().AwaitCount(1, absl::Seconds(1)));
}

TEST(UcxGate, SecretMayBecomeKnownAfterTheConnection) {
  Pair pair({"epoch 2"}, {"epoch 1"});
  pair.SendOne();
  pair.Receive();
  EXPECT_FALSE(pair.received().AwaitCount(1, absl::Milliseconds(300)));
  pair.to().SetSecrets({"epoch 2"});
  EXPECT_TRUE(pair.received().AwaitCount(1));
}

TEST(UcxGate, WithoutASecretNobodyIsLetIn) {
  Pair pair({""}, {});
  pair.SendOne();
  EXPECT_FALSE(pair.received().AwaitCount(1, absl::Milliseconds(300)));
  pair.Receive();
  EXPECT_TRUE(pair.received().AwaitCount(1));
}

// UCX's own first bytes are public; what may follow them ends the process.
std::string UcxMagicAndGarbage() {
  const uint64_t magic = 0xCAFEBABE12345678ull;
  std::string bytes(reinterpret_cast<const char*>(&magic), sizeof magic);
  return bytes + std::string(500, '\xff');
}

TEST(UcxGate, ClosesStrangersAtOnce) {
  Pair pair({"secret"}, {"secret"});
  std::mt19937 random(1);
  for (const sockaddr_in& address : pair.ports()) {
    for (int i = 0; i < 200; ++i) {
      std::string bytes = i % 2 == 0 ? UcxMagicAndGarbage() : std::string();
      while (bytes.empty() || bytes.size() < random() % 4096) {
        bytes.push_back(static_cast<char>(random()));
      }
      const int fd = ConnectTo(address);
      send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      EXPECT_TRUE(AwaitClosed(fd)) << i;
      close(fd);
    }
  }
  pair.Receive();
  pair.SendOne();
  EXPECT_TRUE(pair.received().AwaitCount(1));
}

TEST(UcxGate, ClosesWhoIsSilentOrStopsInTheMiddleOrGuesses) {
  Pair pair({"secret"}, {"secret"});
  pair.Receive();
  std::string wrong(UcxGate::kMarkBytes + UcxGate::kSecretBytes, 'x');
  std::memcpy(wrong.data(), "LKSHELO1", UcxGate::kMarkBytes);
  std::vector<int> strangers;
  for (const sockaddr_in& address : pair.ports()) {
    for (const std::string& bytes :
         {std::string(), std::string("LKS"), wrong.substr(0, 50), wrong,
          wrong + UcxMagicAndGarbage()}) {
      strangers.push_back(ConnectTo(address));
      send(strangers.back(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }
  }
  EXPECT_FALSE(strangers.empty());
  pair.SendOne();
  EXPECT_TRUE(pair.received().AwaitCount(1));
  for (int fd : strangers) {
    EXPECT_TRUE(AwaitClosed(fd));
    close(fd);
  }
}

TEST(UcxGate, ManySilentConnectionsDoNotPileUp) {
  Pair pair({"secret"}, {"secret"});
  pair.Receive();
  const sockaddr_in address = pair.ports().back();
  std::vector<int> strangers;
  for (int i = 0; i < 400; ++i) strangers.push_back(ConnectTo(address));
  // The first had to make room for the last, long before their time.
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(AwaitClosed(strangers[i])) << i;
  pair.SendOne();
  EXPECT_TRUE(pair.received().AwaitCount(1));
  for (int fd : strangers) close(fd);
}

}  // namespace
}  // namespace lockstep::internal
