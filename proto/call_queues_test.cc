#include "proto/call_queues.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "gtest/gtest.h"
#include "proto/lockstep/coordinator.grpc.pb.h"
#include "proto/queued_call.h"
#include "proto/write_queue.h"

namespace lockstep::internal {
namespace {

using Stream = StreamCall<proto::ClientMessage, proto::ClientEvent>;
using Methods = proto::Coordinator::AsyncService;

// Answers each message with its sender's name.
class Echo : public StreamReactor<proto::ClientMessage, proto::ClientEvent> {
 public:
  explicit Echo(std::unique_ptr<Call> call)
      : StreamReactor(std::move(call)), writes_(this) {
    StartRead(&message_);
  }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return writes_.End(absl::AbortedError("that was all"));
    proto::ClientEvent event;
    event.set_shutdown(message_.hello().name());
    writes_.Send(std::move(event));
    StartRead(&message_);
  }
  void OnWriteDone(bool ok) override { writes_.OnWriteDone(ok); }
  void OnDone() override { delete this; }

  proto::ClientMessage message_;
  WriteQueue<Echo, proto::ClientEvent> writes_;
};

class CallQueuesTest : public testing::Test {
 protected:
  CallQueuesTest() {
    grpc::ServerBuilder builder;
    queues_ = std::make_unique<CallQueues>(builder, /*calls_per_queue=*/3);
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port);
    builder.RegisterService(&methods_);
    server_ = builder.BuildAndStart();
    ServeCalls<Stream>(
        queues_.get(), &methods_, &Methods::RequestOpenClient,
        [this](std::unique_ptr<Stream> call) { Serve(std::move(call)); });
    stub_ = proto::Coordinator::NewStub(grpc::CreateChannel(
        absl::StrCat("127.0.0.1:", port), grpc::InsecureChannelCredentials()));
  }
  ~CallQueuesTest() override {
    server_->Shutdown(std::chrono::system_clock::now());
  }

  struct Caller {
    grpc::ClientContext context;
    std::unique_ptr<
        grpc::ClientReaderWriter<proto::ClientMessage, proto::ClientEvent>>
        stream;

    std::string Ask(const std::string& name) {
      proto::ClientMessage message;
      message.mutable_hello()->set_name(name);
      proto::ClientEvent event;
      if (!stream->Write(message) || !stream->Read(&event)) return "(no reply)";
      return event.shutdown();
    }
  };
  std::unique_ptr<Caller> Open() {
    auto caller = std::make_unique<Caller>();
    caller->stream = stub_->OpenClient(&caller->context);
    return caller;
  }
  void Serve(std::unique_ptr<Stream> call) {
    {
      absl::MutexLock lock(&mutex_);
      used_.insert(call->place.queue());
    }
    new Echo(std::move(call));
  }
  size_t UsedQueues() {
    absl::MutexLock lock(&mutex_);
    return used_.size();
  }

  Methods methods_;
  absl::Mutex mutex_;
  std::set<grpc::CompletionQueue*> used_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<CallQueues> queues_;
  std::unique_ptr<proto::Coordinator::Stub> stub_;
};

TEST_F(CallQueuesTest, AFewCallsShareOneQueue) {
  auto first = Open();
  EXPECT_EQ(first->Ask("a"), "a");
  auto second = Open();
  EXPECT_EQ(second->Ask("b"), "b");
  EXPECT_EQ(UsedQueues(), 1u);
  EXPECT_EQ(queues_->size(), 1u);
}

TEST_F(CallQueuesTest, MoreQueuesAreOpenedAsTheyFill) {
  std::vector<std::unique_ptr<Caller>> callers;
  for (int i = 0; i < 8; ++i) {
    callers.push_back(Open());
    EXPECT_EQ(callers.back()->Ask(absl::StrCat("new ", i)),
              absl::StrCat("new ", i));
  }
  EXPECT_EQ(UsedQueues(), 3u);
  EXPECT_EQ(queues_->size(), 3u);  // eight, and the one that is expected
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(callers[i]->Ask(absl::StrCat("again ", i)),
              absl::StrCat("again ", i));
  }
}

TEST_F(CallQueuesTest, ACallThatEndsMakesRoom) {
  for (int i = 0; i < 20; ++i) {
    auto caller = Open();
    EXPECT_EQ(caller->Ask("x"), "x");
    caller->stream->WritesDone();
    proto::ClientEvent event;
    EXPECT_FALSE(caller->stream->Read(&event));
    EXPECT_EQ(caller->stream->Finish().error_message(), "that was all");
  }
  // A call may be deleted after its successor has taken its place.
  EXPECT_LE(queues_->size(), 2u);
}

TEST_F(CallQueuesTest, ACallerThatVanishesEndsItsCall) {
  for (int i = 0; i < 20; ++i) {
    auto caller = Open();
    EXPECT_EQ(caller->Ask("x"), "x");
    caller->context.TryCancel();
  }
}

// In the destructor of the fixture: it would not return otherwise.
TEST_F(CallQueuesTest, ShutdownEndsStreamsThatAreOpen) {
  std::vector<std::unique_ptr<Caller>> callers;
  for (int i = 0; i < 5; ++i) {
    callers.push_back(Open());
    EXPECT_EQ(callers.back()->Ask("x"), "x");
  }
  server_->Shutdown(std::chrono::system_clock::now());
  for (const auto& caller : callers) EXPECT_EQ(caller->Ask("y"), "(no reply)");
}

TEST(CallQueues, EndWithoutAServer) {
  grpc::ServerBuilder builder;
  CallQueues queues(builder);
  EXPECT_EQ(queues.size(), 1u);
}

}  // namespace
}  // namespace lockstep::internal
