#include "runtime/collectives/ucx/ucx_transport.h"

#include <signal.h>

#include <atomic>
#include <functional>
#include <thread>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

class NullHandler : public TransportHandler {
 public:
  void OnMessage(HostId, Incarnation, absl::string_view,
                 std::shared_ptr<const MessageBuffer>) override {}
  void OnPeerFailed(HostId, Incarnation, const absl::Status&) override {}
};

// Notes the headers that come, and when the last one is "end".
class ListeningHandler : public NullHandler {
 public:
  void OnMessage(HostId, Incarnation, absl::string_view header,
                 std::shared_ptr<const MessageBuffer> payload) override {
    headers_.push_back(std::string(header));
    sizes_.push_back(payload == nullptr ? -1 : payload->size());
    if (header == "end") ended_.Notify();
  }
  std::vector<std::string> headers_;
  std::vector<int64_t> sizes_;
  absl::Notification ended_;
};

TEST(UcxTransport, InstallsNoSignalHandlers) {
  auto transport = UcxTransport::Create(UcxTransport::Options());
  ASSERT_TRUE(transport.ok()) << transport.status();
  for (int signal_number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction action;
    ASSERT_EQ(sigaction(signal_number, nullptr, &action), 0);
    EXPECT_EQ(action.sa_handler, SIG_DFL) << signal_number;
  }
}

TEST(UcxTransport, UnknownInterfaceIsAnError) {
  UcxTransport::Options options;
  options.interface = "nonesuch0";
  auto transport = UcxTransport::Create(options);
  ASSERT_FALSE(transport.ok());
  EXPECT_THAT(std::string(transport.status().message()),
              HasSubstr("nonesuch0"));
}

TEST(UcxTransport, DamagedAddressIsAnError) {
  NullHandler handler;
  auto transport = UcxTransport::Create(UcxTransport::Options()).value();
  ASSERT_TRUE(transport->Start(HostId(0), Incarnation(1), &handler).ok());
  std::string damaged = transport->address();
  damaged.back() ^= 1;
  for (const std::string& address :
       {damaged, std::string("ucx1"), std::string("10.0.0.1:7070")}) {
    absl::Status status =
        transport->SetPeers({{HostId(1), Incarnation(1), address}});
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
}

// Messages that come before the receiver knows the sender are kept; small ones
// do not overtake large ones.
TEST(UcxTransport, KeepsTheOrderOfSmallAndLargeMessages) {
  NullHandler sending;
  ListeningHandler listening;
  auto from = UcxTransport::Create(UcxTransport::Options()).value();
  auto to = UcxTransport::Create(UcxTransport::Options()).value();
  ASSERT_TRUE(from->Start(HostId(0), Incarnation(1), &sending).ok());
  ASSERT_TRUE(to->Start(HostId(1), Incarnation(2), &listening).ok());
  ASSERT_TRUE(
      from->SetPeers({{HostId(1), Incarnation(2), to->address()}}).ok());
  MessageBufferPool buffers;
  for (int round = 0; round < 20; ++round) {
    from->Send(HostId(1), "large", buffers.Get(3 << 20));
    from->Send(HostId(1), "small", buffers.Get(8));
    from->Send(HostId(1), "none", nullptr);
    from->Send(HostId(1), "empty", buffers.Get(0));
  }
  from->Send(HostId(1), "end", nullptr);
  ASSERT_TRUE(
      to->SetPeers({{HostId(0), Incarnation(1), from->address()}}).ok());
  ASSERT_TRUE(
      listening.ended_.WaitForNotificationWithTimeout(absl::Seconds(60)));
  to->Stop();
  ASSERT_EQ(listening.headers_.size(), 81u);
  for (int i = 0; i < 80; i += 4) {
    EXPECT_EQ(listening.headers_[i], "large");
    EXPECT_EQ(listening.sizes_[i], 3 << 20);
    EXPECT_EQ(listening.headers_[i + 1], "small");
    EXPECT_EQ(listening.sizes_[i + 1], 8);
    EXPECT_EQ(listening.headers_[i + 2], "none");
    EXPECT_EQ(listening.sizes_[i + 2], -1);
    EXPECT_EQ(listening.headers_[i + 3], "empty");
    EXPECT_EQ(listening.sizes_[i + 3], 0);
  }
}

// A host that has finished and left sent messages that others still need.
TEST(UcxTransport, DeliversWhatAPeerSentThatIsNoPeerAnyMore) {
  NullHandler sending;
  ListeningHandler listening;
  auto from = UcxTransport::Create(UcxTransport::Options()).value();
  auto to = UcxTransport::Create(UcxTransport::Options()).value();
  ASSERT_TRUE(from->Start(HostId(0), Incarnation(1), &sending).ok());
  ASSERT_TRUE(to->Start(HostId(1), Incarnation(2), &listening).ok());
  ASSERT_TRUE(
      to->SetPeers({{HostId(0), Incarnation(1), from->address()}}).ok());
  ASSERT_TRUE(to->SetPeers({}).ok());
  ASSERT_TRUE(
      from->SetPeers({{HostId(1), Incarnation(2), to->address()}}).ok());
  from->Send(HostId(1), "end", nullptr);
  EXPECT_TRUE(
      listening.ended_.WaitForNotificationWithTimeout(absl::Seconds(60)));
  to->Stop();
}

// Calls back for every message.
class CallingHandler : public NullHandler {
 public:
  explicit CallingHandler(std::function<void(absl::string_view)> callback)
      : callback_(std::move(callback)) {}
  void OnMessage(HostId, Incarnation, absl::string_view header,
                 std::shared_ptr<const MessageBuffer>) override {
    callback_(header);
  }

 private:
  const std::function<void(absl::string_view)> callback_;
};

// For both kinds of drivers.
class UcxDriver : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(IsShort, UcxDriver, testing::Bool());

TEST_P(UcxDriver, GetsTheMessagesAndOthersMaySendMeanwhile) {
  auto here = UcxTransport::Create(UcxTransport::Options()).value();
  auto there = UcxTransport::Create(UcxTransport::Options()).value();
  std::atomic<int> answers = 0;
  std::atomic<bool> is_elsewhere = false;
  const std::thread::id driver = std::this_thread::get_id();
  CallingHandler listening([&](absl::string_view) {
    if (std::this_thread::get_id() != driver) is_elsewhere = true;
    ++answers;
  });
  CallingHandler answering([&](absl::string_view header) {
    there->Send(HostId(0), std::string(header), nullptr);
  });
  ASSERT_TRUE(here->Start(HostId(0), Incarnation(1), &listening).ok());
  ASSERT_TRUE(there->Start(HostId(1), Incarnation(2), &answering).ok());
  ASSERT_TRUE(
      here->SetPeers({{HostId(1), Incarnation(2), there->address()}}).ok());
  ASSERT_TRUE(
      there->SetPeers({{HostId(0), Incarnation(1), here->address()}}).ok());
  while (!here->TryDrive(GetParam())) std::this_thread::yield();
  constexpr int kMessages = 100;
  std::thread other([&] {
    EXPECT_FALSE(here->TryDrive(GetParam()));
    for (int i = 0; i < kMessages; ++i) {
      here->Send(HostId(1), "from another thread", nullptr);
    }
  });
  for (int i = 0; i < kMessages; ++i) {
    here->Send(HostId(1), "from this thread", nullptr);
  }
  while (answers < 2 * kMessages) ASSERT_TRUE(here->Step());
  EXPECT_FALSE(is_elsewhere);
  other.join();
  here->StopDriving();
  // Whether or not the driver has left the events to a next one.
  there->Send(HostId(0), "nobody drives", nullptr);
  while (answers < 2 * kMessages + 1) std::this_thread::yield();
  EXPECT_TRUE(is_elsewhere);
  while (!here->TryDrive(GetParam())) std::this_thread::yield();
  here->StopDriving();
  here->Send(HostId(1), "nobody drives", nullptr);
  while (answers < 2 * kMessages + 2) std::this_thread::yield();
  there->Stop();
  here->Stop();
}

TEST_P(UcxDriver, EndsWhenTheTransportIsStopped) {
  NullHandler handler;
  for (int round = 0; round < 20; ++round) {
    auto transport = UcxTransport::Create(UcxTransport::Options()).value();
    ASSERT_TRUE(transport->Start(HostId(0), Incarnation(1), &handler).ok());
    absl::Notification is_driving;
    std::thread driver([&] {
      while (!transport->TryDrive(GetParam())) std::this_thread::yield();
      is_driving.Notify();
      while (transport->Step()) {
      }
      transport->StopDriving();
    });
    is_driving.WaitForNotification();
    transport->Stop();
    driver.join();
    EXPECT_FALSE(transport->TryDrive(GetParam()));
  }
}

}  // namespace
}  // namespace lockstep::internal
