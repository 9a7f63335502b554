#include "proto/acceptor.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "proto/security/socket_address.h"

namespace lockstep::internal {
namespace {

// Keeps what an acceptor hands over.
class Taker {
 public:
  ~Taker() {
    for (int fd : taken_) close(fd);
  }
  void Take(int fd) {
    absl::MutexLock lock(&mutex_);
    taken_.push_back(fd);
  }
  void Await(size_t count) {
    auto is_there = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
      return taken_.size() >= count;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&is_there));
  }
  size_t count() {
    absl::MutexLock lock(&mutex_);
    return taken_.size();
  }
  void CloseAll() {
    absl::MutexLock lock(&mutex_);
    for (int fd : taken_) close(fd);
    taken_.clear();
  }

 private:
  absl::Mutex mutex_;
  std::vector<int> taken_ ABSL_GUARDED_BY(mutex_);
};

class AcceptorTest : public ::testing::Test {
 protected:
  ~AcceptorTest() override {
    acceptor_.reset();
    for (int fd : clients_) close(fd);
  }

  void Start(Acceptor::Options options) {
    options.address = "127.0.0.1:0";
    if (options.max_connections == 0) options.max_connections = 100;
    auto acceptor = Acceptor::Listen(options);
    ASSERT_TRUE(acceptor.ok()) << acceptor.status();
    acceptor_ = *std::move(acceptor);
    acceptor_->Start([this](int fd) { taker_.Take(fd); });
  }
  int Connect(absl::string_view bytes) {
    const int fd =
        ConnectTo(acceptor_->address(), absl::Now() + absl::Seconds(30));
    EXPECT_GE(fd, 0);
    clients_.push_back(fd);
    if (!bytes.empty()) send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    return fd;
  }
  // Until the other side closes.
  static bool AwaitClosed(int fd) {
    pollfd descriptor = {fd, POLLIN, 0};
    char byte = 0;
    return poll(&descriptor, 1, 30000) == 1 && recv(fd, &byte, 1, 0) <= 0;
  }

  Taker taker_;
  std::unique_ptr<Acceptor> acceptor_;
  std::vector<int> clients_;
};

TEST_F(AcceptorTest, TakesConnectionsThatBeginAsOurs) {
  Start({});
  Connect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  taker_.Await(1);
}

TEST_F(AcceptorTest, ClosesOthersAtOnce) {
  Start({.patience = absl::Hours(1)});
  for (absl::string_view bytes :
       {"GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01", "PRIX", "\n"}) {
    EXPECT_TRUE(AwaitClosed(Connect(bytes))) << bytes;
  }
  EXPECT_EQ(taker_.count(), 0u);
}

TEST_F(AcceptorTest, EncryptedTakesTlsOnly) {
  Start({.is_encrypted = true, .patience = absl::Hours(1)});
  EXPECT_TRUE(AwaitClosed(Connect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")));
  Connect("\x16\x03\x01");
  taker_.Await(1);
}

TEST_F(AcceptorTest, ClosesTheSilentAfterAWhile) {
  Start({.patience = absl::Milliseconds(50)});
  EXPECT_TRUE(AwaitClosed(Connect("")));
}

TEST_F(AcceptorTest, ClosesTheOldestOfTooManySilent) {
  Start({.max_silent = 3, .patience = absl::Hours(1)});
  std::vector<int> silent;
  for (int i = 0; i < 5; ++i) silent.push_back(Connect(""));
  EXPECT_TRUE(AwaitClosed(silent[0]));
  EXPECT_TRUE(AwaitClosed(silent[1]));
  send(silent[4], "PRI", 3, MSG_NOSIGNAL);
  taker_.Await(1);
}

TEST_F(AcceptorTest, RefusesBeyondTheLimitUntilOthersEnd) {
  Start({.max_connections = 2});
  Connect("PRI");
  Connect("PRI");
  taker_.Await(2);
  EXPECT_TRUE(AwaitClosed(Connect("PRI")));
  taker_.CloseAll();
  // Connections are counted from time to time.
  const absl::Time deadline = absl::Now() + absl::Seconds(30);
  while (taker_.count() == 0 && absl::Now() < deadline) {
    const int fd = Connect("PRI");
    pollfd descriptor = {fd, POLLIN, 0};
    poll(&descriptor, 1, 200);
  }
  EXPECT_EQ(taker_.count(), 1u);
}

TEST_F(AcceptorTest, OutlivesTheLackOfFiles) {
  Start({});
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  rlimit none = before;
  none.rlim_cur = client + 1;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto address = ResolveSocketAddresses(acceptor_->address());
  ASSERT_TRUE(address.ok());
  EXPECT_EQ(connect(client, (*address)[0].get(), (*address)[0].size), 0);
  EXPECT_TRUE(AwaitClosed(client));
  close(client);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  Connect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  taker_.Await(1);
}

TEST(Acceptor, AddressInUseIsNamed) {
  auto first = Acceptor::Listen({.address = "127.0.0.1:0"});
  ASSERT_TRUE(first.ok()) << first.status();
  auto second = Acceptor::Listen({.address = (*first)->address()});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(second.status().message().find((*first)->address()),
            absl::string_view::npos);
}

}  // namespace
}  // namespace lockstep::internal
