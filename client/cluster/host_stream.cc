#include "client/cluster/host_stream.h"

#include <utility>

#include "proto/client_queue.h"
#include "proto/grpc_status.h"

namespace lockstep::internal {

HostStream* HostStream::Open(proto::Worker::Stub* stub, Callbacks callbacks) {
  auto* stream = new HostStream(std::move(callbacks));
  stream->context().set_wait_for_ready(true);
  stream->StartCall(
      stub->PrepareAsyncWatchArrays(&stream->context(), ClientQueue()));
  stream->StartRead(&stream->events_);
  return stream;
}

void HostStream::Send(proto::ArrayRequest request) {
  absl::MutexLock lock(&mutex_);
  if (is_over_) return;
  requests_.push_back(std::move(request));
  if (requests_.size() == 1) StartWrite(&requests_.front());
}

void HostStream::OnWriteDone(bool ok) {
  absl::MutexLock lock(&mutex_);
  requests_.pop_front();
  if (!ok || is_over_) return;
  if (!requests_.empty()) StartWrite(&requests_.front());
}

void HostStream::OnReadDone(bool ok) {
  if (!ok) {
    absl::MutexLock lock(&mutex_);
    is_over_ = true;
    return;
  }
  callbacks_.on_events(events_);
  events_.Clear();
  StartRead(&events_);
}

void HostStream::OnDone(const grpc::Status& status) {
  callbacks_.on_end(FromGrpcStatus(status));
  delete this;
}

}  // namespace lockstep::internal
