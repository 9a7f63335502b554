#include "proto/client_stream.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/lockstep/coordinator.grpc.pb.h"
#include "proto/queued_call.h"
#include "proto/write_queue.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

// Answers each message with its sender's name, and ends after "bye".
class Echo : public StreamReactor<proto::ClientMessage, proto::ClientEvent> {
 public:
  explicit Echo(std::unique_ptr<Call> call)
      : StreamReactor(std::move(call)), writes_(this) {
    StartRead(&message_);
  }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return writes_.End(absl::OkStatus());
    const std::string name = message_.hello().name();
    if (name == "bye") return writes_.End(absl::AbortedError("that was all"));
    proto::ClientEvent event;
    event.set_shutdown(name);
    writes_.Send(std::move(event));
    StartRead(&message_);
  }
  void OnWriteDone(bool ok) override { writes_.OnWriteDone(ok); }
  void OnDone() override { delete this; }

  proto::ClientMessage message_;
  WriteQueue<Echo, proto::ClientEvent> writes_;
};

class Caller : private ClientStream<proto::ClientMessage, proto::ClientEvent> {
 public:
  explicit Caller(proto::Coordinator::Stub* stub) {
    StartCall(stub->PrepareAsyncOpenClient(&context(), ClientQueue()));
    StartRead(&event_);
  }
  ~Caller() override {
    context().TryCancel();
    End();
  }

  // False: the stream has ended.
  bool Send(const std::string& name) {
    const auto may_write = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return is_over_ || !is_writing_;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&may_write));
    if (is_over_) return false;
    message_.mutable_hello()->set_name(name);
    is_writing_ = true;
    StartWrite(&message_);
    return true;
  }
  // Of the first `count` messages that came, or of all before the end.
  std::vector<std::string> Received(size_t count) {
    const auto have_come = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return is_over_ || received_.size() >= count;
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&have_come));
    return received_;
  }
  void Cancel() { context().TryCancel(); }
  grpc::Status End() {
    const auto is_done = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return end_.has_value();
    };
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&is_done));
    return *end_;
  }

 private:
  void OnReadDone(bool ok) override {
    absl::MutexLock lock(&mutex_);
    if (!ok) {
      is_over_ = true;
      return;
    }
    received_.push_back(event_.shutdown());
    StartRead(&event_);
  }
  void OnWriteDone(bool) override {
    absl::MutexLock lock(&mutex_);
    is_writing_ = false;
  }
  void OnDone(const grpc::Status& status) override {
    absl::MutexLock lock(&mutex_);
    end_ = status;
  }

  proto::ClientEvent event_;
  absl::Mutex mutex_;
  proto::ClientMessage message_ ABSL_GUARDED_BY(mutex_);
  bool is_writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::string> received_ ABSL_GUARDED_BY(mutex_);
  std::optional<grpc::Status> end_ ABSL_GUARDED_BY(mutex_);
};

std::unique_ptr<proto::Coordinator::Stub> StubFor(const std::string& address) {
  return proto::Coordinator::NewStub(
      grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
}

class ClientStreamTest : public testing::Test {
 protected:
  using Stream = StreamCall<proto::ClientMessage, proto::ClientEvent>;
  using Methods = proto::Coordinator::AsyncService;

  ClientStreamTest() {
    grpc::ServerBuilder builder;
    queues_ = std::make_unique<CallQueues>(builder);
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port);
    builder.RegisterService(&methods_);
    server_ = builder.BuildAndStart();
    ServeCalls<Stream>(
        queues_.get(), &methods_, &Methods::RequestOpenClient,
        [](std::unique_ptr<Stream> call) { new Echo(std::move(call)); });
    stub_ = StubFor(absl::StrCat("127.0.0.1:", port));
  }
  ~ClientStreamTest() override {
    server_->Shutdown(std::chrono::system_clock::now());
  }

  Methods methods_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<CallQueues> queues_;
  std::unique_ptr<proto::Coordinator::Stub> stub_;
};

TEST_F(ClientStreamTest, MessagesKeepTheirOrder) {
  Caller caller(stub_.get());
  for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(caller.Send(name));
  EXPECT_THAT(caller.Received(3), ElementsAre("a", "b", "c"));
}

TEST_F(ClientStreamTest, TheServersEndIsTold) {
  Caller caller(stub_.get());
  EXPECT_TRUE(caller.Send("a"));
  EXPECT_TRUE(caller.Send("bye"));
  EXPECT_EQ(caller.End().error_message(), "that was all");
  EXPECT_THAT(caller.Received(1), ElementsAre("a"));
  EXPECT_FALSE(caller.Send("b"));
}

// The first message each way is the status.
TEST_F(ClientStreamTest, AnEndBeforeTheFirstMessageIsTold) {
  Caller caller(stub_.get());
  EXPECT_TRUE(caller.Send("bye"));
  EXPECT_EQ(caller.End().error_code(), grpc::StatusCode::ABORTED);
}

TEST_F(ClientStreamTest, ManyThreadsWriteWhileOthersRead) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this] {
      Caller caller(stub_.get());
      std::thread writer([&] {
        for (int n = 0; n < 200; ++n) caller.Send(absl::StrCat(n));
      });
      EXPECT_EQ(caller.Received(200).back(), "199");
      writer.join();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ClientStreamTest, CancellingEndsIt) {
  Caller caller(stub_.get());
  EXPECT_TRUE(caller.Send("a"));
  caller.Received(1);
  caller.Cancel();
  EXPECT_EQ(caller.End().error_code(), grpc::StatusCode::CANCELLED);
}

TEST_F(ClientStreamTest, CancelledAtOnce) {
  for (int i = 0; i < 100; ++i) Caller(stub_.get()).Cancel();
}

TEST(ClientStream, NobodyThereIsTold) {
  // Port 0 is nobody's.
  const auto stub = StubFor("127.0.0.1:0");
  Caller caller(stub.get());
  EXPECT_EQ(caller.End().error_code(), grpc::StatusCode::UNAVAILABLE);
}

}  // namespace
}  // namespace lockstep::internal
