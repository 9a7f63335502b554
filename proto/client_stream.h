#ifndef LOCKSTEP_PROTO_CLIENT_STREAM_H_
#define LOCKSTEP_PROTO_CLIENT_STREAM_H_

#include <grpcpp/client_context.h>
#include <grpcpp/support/async_stream.h>

#include <atomic>
#include <memory>
#include <utility>

#include "proto/client_queue.h"
#include "proto/completion.h"

namespace lockstep::internal {

// What gRPC's ClientBidiReactor is, for a call on ClientQueue(): at most one
// read and one write at a time, of messages that stay until it is done,
// callbacks on the queue's thread. The owner always has a read outstanding, and
// starts nothing once OnReadDone said false; a first message is therefore
// written before the first read is started, or under a lock of OnDone's.
template <typename Request, typename Reply>
class ClientStream {
 public:
  ClientStream(const ClientStream&) = delete;

 protected:
  using Call = grpc::ClientAsyncReaderWriter<Request, Reply>;

  ClientStream()
      : start_(this, &ClientStream::EndStart),
        read_(this, &ClientStream::EndRead),
        write_(this, &ClientStream::OnWriteDone),
        finish_(this, &ClientStream::DoNothing) {}
  virtual ~ClientStream() = default;

  grpc::ClientContext& context() { return context_; }

  // First. `call`: of one of the generated PrepareAsync..., with context() and
  // ClientQueue().
  void StartCall(std::unique_ptr<Call> call) {
    call_ = std::move(call);
    outstanding_ = 2;  // and Finish
    call_->StartCall(start_.tag());
  }
  void StartRead(Reply* reply) {
    ++outstanding_;
    call_->Read(reply, read_.tag());
  }
  void StartWrite(const Request* request) {
    ++outstanding_;
    waiting_write_ = request;
    if (is_started_) BeginWaitingWrite();
  }

  virtual void OnReadDone(bool ok) = 0;
  virtual void OnWriteDone(bool ok) = 0;
  // The last call: nothing is outstanding.
  virtual void OnDone(const grpc::Status& status) = 0;

 private:
  using Callback = void (ClientStream::*)(bool);

  class Operation final : public Completion {
   public:
    Operation(ClientStream* stream, Callback callback)
        : stream_(*stream), callback_(callback) {}
    Completion* tag() { return this; }
    void Run(bool ok) override {
      (stream_.*callback_)(ok);
      if (--stream_.outstanding_ == 0) stream_.OnDone(stream_.status_);
    }

   private:
    ClientStream& stream_;
    const Callback callback_;
  };

  void DoNothing(bool) {}
  // A write from before the start has ended waits for it: gRPC keeps both in
  // one set of operations, and aborts when they overlap. Of the two that find
  // the call started and a write waiting, one begins it.
  void EndStart(bool) {
    is_started_ = true;
    BeginWaitingWrite();
  }
  void BeginWaitingWrite() {
    const Request* request = waiting_write_.exchange(nullptr);
    if (request != nullptr) call_->Write(*request, write_.tag());
  }
  // The status is asked for only now: a read and a Finish that are both before
  // the server's first metadata would both ask for those, which gRPC refuses
  // by an abort.
  void EndRead(bool ok) {
    OnReadDone(ok);
    if (ok) return;
    call_->Finish(&status_, finish_.tag());
  }

  grpc::ClientContext context_;
  std::unique_ptr<Call> call_;
  grpc::Status status_;
  std::atomic<int> outstanding_ = 0;
  std::atomic<bool> is_started_ = false;
  std::atomic<const Request*> waiting_write_ = nullptr;
  Operation start_;
  Operation read_;
  Operation write_;
  Operation finish_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_CLIENT_STREAM_H_
