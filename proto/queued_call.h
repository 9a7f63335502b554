#ifndef LOCKSTEP_PROTO_QUEUED_CALL_H_
#define LOCKSTEP_PROTO_QUEUED_CALL_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/async_unary_call.h>

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "proto/call_queues.h"
#include "proto/completion.h"
#include "proto/grpc_status.h"

namespace lockstep::internal {

// One call of a method with streams in both directions.
template <typename Request, typename Reply>
struct StreamCall {
  explicit StreamCall(CallQueues* queues) : place(queues->Take()) {}

  const CallQueues::Place place;
  grpc::ServerContext context;
  grpc::ServerAsyncReaderWriter<Reply, Request> stream{&context};

  // Becomes the next call of `method`, one of the generated Request...
  template <typename Service, typename Method>
  void Expect(Service* service, Method method,
              grpc::ServerCompletionQueue* arrivals, void* tag) {
    (service->*method)(&context, &stream, place.queue(), arrivals, tag);
  }
};

// What gRPC's ServerBidiReactor is, for a call on a queue: at most one read and
// one write at a time, callbacks on the queue's thread. A read that fails tells
// of the client's end; Finish is called in every case.
template <typename Request, typename Reply>
class StreamReactor {
 public:
  using Call = StreamCall<Request, Reply>;

  explicit StreamReactor(std::unique_ptr<Call> call)
      : call_(std::move(call)),
        read_(this, &StreamReactor::OnReadDone),
        write_(this, &StreamReactor::OnWriteDone),
        finish_(this, nullptr) {}
  StreamReactor(const StreamReactor&) = delete;

  void StartRead(Request* request) {
    ++outstanding_;
    call_->stream.Read(request, read_.tag());
  }
  void StartWrite(const Reply* reply) {
    ++outstanding_;
    call_->stream.Write(*reply, write_.tag());
  }
  // Once.
  void Finish(const grpc::Status& status) {
    call_->stream.Finish(status, finish_.tag());
  }

 protected:
  virtual ~StreamReactor() = default;
  const grpc::ServerContext& context() const { return call_->context; }
  virtual void OnReadDone(bool) {}
  virtual void OnWriteDone(bool) {}
  // The last call, after Finish and when nothing is outstanding.
  virtual void OnDone() = 0;

 private:
  using Callback = void (StreamReactor::*)(bool);

  class Operation final : public Completion {
   public:
    Operation(StreamReactor* reactor, Callback callback)
        : reactor_(*reactor), callback_(callback) {}
    Completion* tag() { return this; }
    void Run(bool ok) override {
      if (callback_ != nullptr) (reactor_.*callback_)(ok);
      if (--reactor_.outstanding_ == 0) reactor_.OnDone();
    }

   private:
    StreamReactor& reactor_;
    const Callback callback_;
  };

  const std::unique_ptr<Call> call_;
  std::atomic<int> outstanding_ = 1;  // Finish
  Operation read_;
  Operation write_;
  Operation finish_;
};

// One call of a method with one request and one reply. Deletes itself after
// Finish.
template <typename Request, typename Reply>
class UnaryCall final : private Completion {
 public:
  explicit UnaryCall(CallQueues* queues) : place(queues->Take()) {}

  // Sends `reply`, or the error. Once, from any thread.
  void Finish(const absl::Status& status) {
    if (status.ok()) {
      writer_.Finish(reply, grpc::Status::OK, tag());
    } else {
      writer_.FinishWithError(ToGrpcStatus(status), tag());
    }
  }

  const CallQueues::Place place;
  grpc::ServerContext context;
  Request request;
  Reply reply;

  // As StreamCall::Expect.
  template <typename Service, typename Method>
  void Expect(Service* service, Method method,
              grpc::ServerCompletionQueue* arrivals, void* tag) {
    (service->*method)(&context, &request, &writer_, place.queue(), arrivals,
                       tag);
  }

 private:
  Completion* tag() { return this; }
  void Run(bool) override { delete this; }

  grpc::ServerAsyncResponseWriter<Reply> writer_{&context};
};

// Takes the calls of one method as they arrive. Deletes itself when the server
// shuts down.
template <typename Call, typename Service, typename Method>
class CallAcceptor final : private Completion {
 public:
  using Serve = std::function<void(std::unique_ptr<Call> call)>;

  CallAcceptor(CallQueues* queues, Service* service, Method method, Serve serve)
      : queues_(queues),
        service_(service),
        method_(method),
        serve_(std::move(serve)) {
    ExpectNext();
  }

 private:
  void ExpectNext() {
    next_ = std::make_unique<Call>(queues_);
    next_->Expect(service_, method_, queues_->arrivals(),
                  static_cast<Completion*>(this));
  }
  void Run(bool ok) override {
    if (!ok) {
      delete this;
      return;
    }
    std::unique_ptr<Call> call = std::move(next_);
    ExpectNext();
    serve_(std::move(call));
  }

  CallQueues* const queues_;
  Service* const service_;
  const Method method_;
  const Serve serve_;
  std::unique_ptr<Call> next_;
};

// Gives each call of a method to `serve`, on the thread of the queues, until
// the server shuts down. `method` is the generated Request... of `service`,
// which outlives the queues.
template <typename Call, typename Service, typename Method>
void ServeCalls(CallQueues* queues, Service* service, Method method,
                std::function<void(std::unique_ptr<Call> call)> serve) {
  new CallAcceptor<Call, Service, Method>(queues, service, method,
                                          std::move(serve));
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_QUEUED_CALL_H_
