#include "tests/benchmark/raw_exchange.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

constexpr Incarnation kIncarnation{1};

}  // namespace

double MedianSeconds(int rounds, const std::function<void()>& call) {
  std::vector<double> seconds(rounds);
  call();
  for (double& second : seconds) {
    absl::Time start = absl::Now();
    call();
    second = absl::ToDoubleSeconds(absl::Now() - start);
  }
  std::nth_element(seconds.begin(), seconds.begin() + rounds / 2,
                   seconds.end());
  return seconds[rounds / 2];
}

std::string Swap(int socket, const std::string& mine) {
  uint32_t size = static_cast<uint32_t>(mine.size());
  LOCKSTEP_CHECK(write(socket, &size, sizeof(size)) == sizeof(size));
  LOCKSTEP_CHECK(write(socket, mine.data(), size) == size);
  LOCKSTEP_CHECK(read(socket, &size, sizeof(size)) == sizeof(size));
  std::string theirs(size, '\0');
  LOCKSTEP_CHECK(recv(socket, theirs.data(), size, MSG_WAITALL) == size);
  return theirs;
}

RawExchange::RawExchange(int self, int socket)
    : peer_(1 - self),
      transport_(UcxTransport::Create(UcxTransport::Options()).value()) {
  LOCKSTEP_CHECK(transport_->Start(HostId(self), kIncarnation, this).ok());
  std::string address = Swap(socket, transport_->address());
  LOCKSTEP_CHECK(transport_->SetPeers({{peer_, kIncarnation, address}}).ok());
}

RawExchange::~RawExchange() { transport_->Stop(); }

void RawExchange::Exchange(int64_t bytes, int64_t message_bytes) {
  const int64_t size = std::min(bytes, message_bytes);
  const int64_t count = size == 0 ? 1 : (bytes + size - 1) / size;
  if (std::ssize(sent_) != count ||
      sent_[0]->size() != static_cast<size_t>(size)) {
    sent_.clear();
    for (int64_t i = 0; i < count; ++i) {
      sent_.push_back(buffers_.Get(size));
      std::fill(sent_[i]->span().begin(), sent_[i]->span().end(), std::byte{1});
    }
  }
  for (const auto& payload : sent_) transport_->Send(peer_, "raw", payload);
  const auto have_come = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return std::ssize(received_) >= count;
  };
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&have_come));
  received_.erase(received_.begin(), received_.begin() + count);
}

void RawExchange::OnMessage(HostId, Incarnation, absl::string_view,
                            std::shared_ptr<const MessageBuffer> payload) {
  absl::MutexLock lock(&mutex_);
  received_.push_back(std::move(payload));
}

}  // namespace lockstep::internal
