#include "runtime/worker/daemon/array_feed.h"

#include <algorithm>
#include <utility>

#include "proto/convert.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/thread_pool.h"
#include "runtime/worker/daemon/shard_assembler.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kGathering = absl::Milliseconds(1);
// News of a chain of launches has hundreds of arrays that nobody reads.
constexpr int kMaxValues = 8;

void Add(ArrayHandle array, const absl::Status& status,
         proto::ArrayEvents& events) {
  if (status.ok()) {
    events.add_ready(array.number);
  } else {
    auto* failed = events.add_failed();
    failed->set_array(array.number);
    *failed->mutable_status() = ToProto(status);
  }
}

bool IsEmpty(const proto::ArrayEvents& events) {
  return events.ready_size() == 0 && events.failed_size() == 0;
}

}  // namespace

ArrayFeed::ArrayFeed(ArrayStore* arrays) : arrays_(*arrays) {
  arrays_.SetObserver(
      [this](ArrayHandle array, const absl::Status& status, bool is_awaited) {
        OnThere(array, status, is_awaited);
      });
  gatherer_ = std::thread([this] {
    SetThreadName("array-feed");
    SendGathered();
  });
}

ArrayFeed::~ArrayFeed() {
  {
    absl::MutexLock lock(&mutex_);
    is_stopping_ = true;
  }
  gatherer_.join();
}

void ArrayFeed::Open(ClientId client, std::shared_ptr<Sink> sink) {
  {
    absl::MutexLock lock(&mutex_);
    clients_[client] = {sink, {}};
  }
  proto::ArrayEvents all;
  for (const auto& [array, status] : arrays_.AllThere(client)) {
    Add(array, status, all);
  }
  if (!IsEmpty(all)) sink->Send(std::move(all));
}

void ArrayFeed::Close(ClientId client, const Sink* sink) {
  absl::MutexLock lock(&mutex_);
  auto it = clients_.find(client);
  if (it != clients_.end() && it->second.sink.get() == sink) clients_.erase(it);
}

void ArrayFeed::OnThere(ArrayHandle array, const absl::Status& status,
                        bool is_awaited) {
  const bool has_more = arrays_.HasPending(array.client);
  {
    absl::MutexLock lock(&mutex_);
    auto client = clients_.find(array.client);
    if (client == clients_.end()) return;  // hears all when it comes
    Add(array, status, client->second.news);
    if (is_awaited) return;  // a reply follows
    if (has_more) {
      is_gathering_ = true;
      return;
    }
  }
  SendNews(array.client, /*with_values=*/true);
}

void ArrayFeed::Reply(ClientId client, Sink& sink,
                      proto::ArrayEvents::ReadReply reply) {
  proto::ArrayEvents events;
  {
    absl::MutexLock lock(&mutex_);
    auto it = clients_.find(client);
    if (it != clients_.end() && it->second.sink.get() == &sink) {
      events.Swap(&it->second.news);
    }
  }
  *events.add_replies() = std::move(reply);
  sink.Send(std::move(events));
}

void ArrayFeed::AddValues(ClientId client, proto::ArrayEvents& events) const {
  int64_t left = kSmallArrayBytes;
  // The latest are the likeliest to be read.
  const int end = std::max(0, events.ready_size() - kMaxValues);
  for (int i = events.ready_size() - 1; i >= end; --i) {
    const ArrayHandle array{client, events.ready(i)};
    const auto shards = arrays_.Shards(array);
    if (shards.empty()) continue;
    left -=
        shards[0]->shape().byte_size() * static_cast<int64_t>(shards.size());
    if (left < 0) return;
    proto::ArrayEvents::Value value;
    value.set_array(array.number);
    for (const auto& shard : shards) {
      // This may be the thread of the device's queue, which must not wait for
      // it: values that the host cannot read are fetched when they are asked
      // for.
      const auto memory = shard->Memory();
      if (!memory.ok() || !(*memory)->address().host_accessible()) break;
      const absl::StatusOr<Literal> bytes = FetchLiteral(*shard);
      if (!bytes.ok()) break;  // a launch has taken it
      value.add_devices(shard->device().value());
      value.add_shards(bytes->bytes(), bytes->shape().byte_size());
    }
    if (value.devices_size() < static_cast<int>(shards.size())) continue;
    *events.add_values() = std::move(value);
  }
}

void ArrayFeed::SendNews(ClientId client, bool with_values) {
  proto::ArrayEvents events;
  std::shared_ptr<Sink> sink;
  {
    absl::MutexLock lock(&mutex_);
    auto it = clients_.find(client);
    if (it == clients_.end()) return;
    sink = it->second.sink;
    events.Swap(&it->second.news);
  }
  if (IsEmpty(events)) return;
  if (with_values) AddValues(client, events);
  sink->Send(std::move(events));
}

void ArrayFeed::SendGathered() {
  const auto has_work = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return is_stopping_ || is_gathering_;
  };
  while (true) {
    std::vector<ClientId> clients;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(&has_work));
      mutex_.AwaitWithTimeout(absl::Condition(&is_stopping_), kGathering);
      if (is_stopping_) return;
      is_gathering_ = false;
      for (const auto& [id, client] : clients_) clients.push_back(id);
    }
    for (ClientId client : clients) SendNews(client, /*with_values=*/false);
  }
}

}  // namespace lockstep::internal
