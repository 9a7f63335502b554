#include "tests/cuda_emulation/communicator.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "tests/cuda_emulation/driver_link.h"
#include "tests/cuda_emulation/reduction.h"

namespace lockstep::internal::cuda {
namespace {

std::string HostName() {
  const char* id = std::getenv("NCCL_HOSTID");
  if (id != nullptr) return id;
  char name[64] = "";
  gethostname(name, sizeof(name) - 1);
  return name;
}

std::byte* Content(const void* address, size_t bytes) {
  return static_cast<std::byte*>(
      DriverLink::Get().content(reinterpret_cast<CUdeviceptr>(address), bytes));
}

size_t BytesOf(const Transfer& transfer, size_t count) {
  return count * ElementSize(transfer.type);
}

}  // namespace

EmulatedCommunicator::EmulatedCommunicator(std::string name, int ranks,
                                           int rank, int device)
    : name_(std::move(name)), ranks_(ranks), rank_(rank), device_(device) {}

EmulatedCommunicator::~EmulatedCommunicator() { Leave(); }

void EmulatedCommunicator::BeginJoin(
    std::shared_ptr<EmulatedCommunicator> self) {
  std::thread([self = std::move(self)] { self->Join(); }).detach();
}

void EmulatedCommunicator::Join() {
  memory_ = CliqueMemory::Open(name_, ranks_);
  ncclResult_t result = memory_ == nullptr ? ncclSystemError : JoinOthers();
  if (memory_ != nullptr) memory_->Unlink();
  ncclResult_t joining = ncclInProgress;
  error_.compare_exchange_strong(joining, result);
  std::lock_guard lock(join_mutex_);
  has_joined_ = true;
  joined_.notify_all();
}

ncclResult_t EmulatedCommunicator::JoinOthers() {
  RankSlot& own = memory_->slot(rank_);
  RankState absent = RankState::kAbsent;
  if (!own.state.compare_exchange_strong(absent, RankState::kJoining)) {
    return ncclInvalidUsage;  // Another has this rank.
  }
  own.pid = getpid();
  own.process_start = ProcessStart(own.pid);
  own.device = device_;
  std::snprintf(own.host, sizeof(own.host), "%s", HostName().c_str());
  own.state = RankState::kJoined;
  memory_->Notify();
  for (int rank = 0; rank < ranks_; ++rank) {
    while (true) {
      uint32_t seen = memory_->changes();
      RankState state = memory_->slot(rank).state;
      if (state != RankState::kAbsent && state != RankState::kJoining) break;
      if (is_aborted_) return ncclInternalError;
      if (HasLostRank()) return ncclRemoteError;
      memory_->AwaitChange(seen);
    }
  }
  return FindSharedDevice();
}

ncclResult_t EmulatedCommunicator::FindSharedDevice() const {
  for (int a = 0; a < ranks_; ++a) {
    for (int b = 0; b < a; ++b) {
      const RankSlot& one = memory_->slot(a);
      const RankSlot& other = memory_->slot(b);
      if (one.device != other.device ||
          std::strcmp(one.host, other.host) != 0) {
        continue;
      }
      std::fprintf(stderr,
                   "nccl_emulation: duplicate GPU: ranks %d and %d use device "
                   "%d of host %s\n",
                   b, a, one.device, one.host);
      return ncclInvalidUsage;
    }
  }
  return ncclSuccess;
}

ncclResult_t EmulatedCommunicator::AwaitJoin() {
  std::unique_lock lock(join_mutex_);
  joined_.wait(lock, [this] { return has_joined_; });
  return error_;
}

void EmulatedCommunicator::Fail(ncclResult_t error) {
  ncclResult_t none = ncclSuccess;
  error_.compare_exchange_strong(none, error);
}

bool EmulatedCommunicator::HasLostRank() const {
  for (int rank = 0; rank < ranks_; ++rank) {
    const RankSlot& slot = memory_->slot(rank);
    RankState state = slot.state;
    if (rank == rank_ || state == RankState::kAbsent ||
        state == RankState::kJoining || state == RankState::kLeft) {
      continue;
    }
    if (state == RankState::kAborted) return true;
    if (slot.pid != getpid() && ProcessStart(slot.pid) != slot.process_start) {
      return true;
    }
  }
  return false;
}

ncclResult_t EmulatedCommunicator::error() {
  if (error_ == ncclSuccess && HasLostRank()) Fail(ncclRemoteError);
  return error_;
}

void EmulatedCommunicator::Abort() {
  is_aborted_ = true;
  AwaitJoin();
  if (memory_ != nullptr) {
    memory_->slot(rank_).state = RankState::kAborted;
    memory_->Notify();
  }
  std::lock_guard lock(run_mutex_);
}

void EmulatedCommunicator::Leave() {
  if (memory_ == nullptr) return;
  RankState joined = RankState::kJoined;
  memory_->slot(rank_).state.compare_exchange_strong(joined, RankState::kLeft);
  memory_->Notify();
}

// False when the communicator was aborted instead. Lost ranks end no wait, as
// in NCCL.
template <class Ready>
bool EmulatedCommunicator::Await(Ready ready) {
  while (!is_aborted_) {
    uint32_t seen = memory_->changes();
    if (ready()) return true;
    memory_->AwaitChange(seen);
  }
  return false;
}

void EmulatedCommunicator::Mismatch(const std::string& what) {
  std::fprintf(stderr, "nccl_emulation: rank %d: %s\n", rank_, what.c_str());
  Fail(ncclInvalidArgument);
}

struct EmulatedCommunicator::Flight {
  Transfer transfer;
  std::byte* data;
  size_t bytes;
  size_t done = 0;
  bool has_ended = false;
};

CUresult EmulatedCommunicator::Run(const std::vector<Transfer>& group) {
  std::lock_guard lock(run_mutex_);
  if (int error = DriverLink::Get().Count("nccl")) {
    Fail(static_cast<ncclResult_t>(error));
    Await([] { return false; });
  }
  if (IsStopped()) return CUDA_SUCCESS;
  std::vector<Flight> flights;
  for (const Transfer& transfer : group) {
    if (transfer.is_collective()) continue;
    size_t bytes = BytesOf(transfer, transfer.count);
    const void* address =
        transfer.kind == Transfer::Kind::kSend ? transfer.from : transfer.to;
    std::byte* data = bytes == 0 ? nullptr : Content(address, bytes);
    if (data == nullptr && bytes != 0) return CUDA_ERROR_ILLEGAL_ADDRESS;
    flights.push_back({.transfer = transfer, .data = data, .bytes = bytes});
  }
  if (CUresult error = RunFlights(std::move(flights))) return error;
  for (const Transfer& transfer : group) {
    if (!transfer.is_collective()) continue;
    if (CUresult error = RunCollective(transfer)) return error;
  }
  return CUDA_SUCCESS;
}

CUresult EmulatedCommunicator::RunFlights(std::vector<Flight> flights) {
  while (!IsStopped()) {
    uint32_t seen = memory_->changes();
    bool has_moved = false;
    bool have_ended = true;
    for (size_t i = 0; i < flights.size(); ++i) {
      Flight& flight = flights[i];
      // Those between the same ranks, in the same direction, go in order.
      bool is_first = std::none_of(
          flights.begin(), flights.begin() + static_cast<ptrdiff_t>(i),
          [&](const Flight& other) {
            return !other.has_ended &&
                   other.transfer.kind == flight.transfer.kind &&
                   other.transfer.peer == flight.transfer.peer;
          });
      while (is_first && !flight.has_ended && Progress(flight)) {
        has_moved = true;
      }
      have_ended = have_ended && flight.has_ended;
      if (IsStopped()) return CUDA_SUCCESS;
    }
    if (have_ended) return CUDA_SUCCESS;
    if (has_moved) {
      memory_->Notify();
    } else {
      memory_->AwaitChange(seen);
    }
  }
  return CUDA_SUCCESS;
}

bool EmulatedCommunicator::Progress(Flight& flight) {
  bool has_moved = flight.transfer.kind == Transfer::Kind::kSend
                       ? ProgressSend(flight)
                       : ProgressReceive(flight);
  if (has_moved) {
    flight.has_ended = flight.done == flight.bytes;
    memory_->Notify();
  }
  return has_moved;
}

bool EmulatedCommunicator::ProgressSend(Flight& flight) {
  int to = flight.transfer.peer;
  Pipe& pipe = memory_->pipe(rank_, to);
  uint64_t number = pipe.sent;
  if (number - pipe.received == 2) return false;
  size_t bytes = std::min(kPiece, flight.bytes - flight.done);
  pipe.pieces[number % 2] = {.message_bytes = flight.bytes,
                             .bytes = bytes,
                             .type = flight.transfer.type};
  if (bytes > 0) {
    std::memcpy(memory_->piece(rank_, to, number), flight.data + flight.done,
                bytes);
  }
  flight.done += bytes;
  pipe.sent = number + 1;
  return true;
}

bool EmulatedCommunicator::ProgressReceive(Flight& flight) {
  int from = flight.transfer.peer;
  Pipe& pipe = memory_->pipe(from, rank_);
  uint64_t number = pipe.received;
  if (pipe.sent == number) return false;
  const Pipe::Piece piece = pipe.pieces[number % 2];
  if (piece.message_bytes != flight.bytes ||
      piece.type != flight.transfer.type) {
    Mismatch("expects " + std::to_string(flight.bytes) + " bytes of type " +
             std::to_string(flight.transfer.type) + " from rank " +
             std::to_string(from) + ", which sends " +
             std::to_string(piece.message_bytes) + " of type " +
             std::to_string(piece.type));
    return false;
  }
  if (piece.bytes > 0) {
    std::memcpy(flight.data + flight.done, memory_->piece(from, rank_, number),
                piece.bytes);
  }
  flight.done += piece.bytes;
  pipe.received = number + 1;
  return true;
}

CUresult EmulatedCommunicator::RunCollective(const Transfer& transfer) {
  bool scatters = transfer.kind == Transfer::Kind::kReduceScatter;
  bool gathers = transfer.kind == Transfer::Kind::kAllGather;
  bool brings =
      transfer.kind != Transfer::Kind::kBroadcast || transfer.peer == rank_;
  size_t ranks = static_cast<size_t>(ranks_);
  size_t in_count = transfer.count * (scatters ? ranks : 1);
  size_t out_count = transfer.count * (gathers ? ranks : 1);
  std::byte* from = nullptr;
  std::byte* to = nullptr;
  if (transfer.count > 0) {
    if (brings) from = Content(transfer.from, BytesOf(transfer, in_count));
    to = Content(transfer.to, BytesOf(transfer, out_count));
    if ((brings && from == nullptr) || to == nullptr) {
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
  }
  size_t step = kChunk / ElementSize(transfer.type);
  size_t begin = 0;
  do {
    size_t end = std::min(in_count, begin + step);
    const std::byte* own =
        from == nullptr ? nullptr : from + BytesOf(transfer, begin);
    if (IsStopped() ||
        !Exchange(transfer, own, BytesOf(transfer, end - begin))) {
      return CUDA_SUCCESS;
    }
    Take(transfer, begin, end, to);
    memory_->slot(rank_).consumed = ++round_;
    memory_->Notify();
    begin = end;
  } while (begin < in_count);
  return CUDA_SUCCESS;
}

bool EmulatedCommunicator::Exchange(const Transfer& transfer,
                                    const std::byte* own, size_t bytes) {
  auto all = [this](auto condition) {
    for (int rank = 0; rank < ranks_; ++rank) {
      if (!condition(memory_->slot(rank))) return false;
    }
    return true;
  };
  // What was there two rounds ago has been read.
  if (!Await([&] {
        return all([this](const RankSlot& slot) {
          return slot.consumed + 1 >= round_;
        });
      })) {
    return false;
  }
  if (own != nullptr) std::memcpy(memory_->chunk(rank_, round_), own, bytes);
  RankSlot& slot = memory_->slot(rank_);
  const CollectiveDescription description = {
      .kind = static_cast<int>(transfer.kind),
      .type = transfer.type,
      .reduction = transfer.reduction,
      .root = transfer.peer,
      .count = transfer.count};
  slot.descriptions[round_ % 2] = description;
  slot.published = round_ + 1;
  memory_->Notify();
  if (!Await([&] {
        return all(
            [this](const RankSlot& slot) { return slot.published > round_; });
      })) {
    return false;
  }
  for (int rank = 0; rank < ranks_; ++rank) {
    const CollectiveDescription& other =
        memory_->slot(rank).descriptions[round_ % 2];
    if (other == description) continue;
    Mismatch("calls collective " + std::to_string(description.kind) + " of " +
             std::to_string(description.count) + " elements of type " +
             std::to_string(description.type) + ", rank " +
             std::to_string(rank) + " calls " + std::to_string(other.kind) +
             " of " + std::to_string(other.count) + " of type " +
             std::to_string(other.type));
    return false;
  }
  return true;
}

void EmulatedCommunicator::Take(const Transfer& transfer, size_t begin,
                                size_t end, std::byte* to) {
  size_t size = ElementSize(transfer.type);
  auto rank_number = static_cast<size_t>(rank_);
  auto reduce = [&](size_t first, size_t last, std::byte* target) {
    if (first >= last) return;
    std::vector<const std::byte*> operands;
    for (int rank = 0; rank < ranks_; ++rank) {
      operands.push_back(memory_->chunk(rank, round_) + (first - begin) * size);
    }
    Reduce(transfer.type, transfer.reduction, last - first, operands, target);
  };
  switch (transfer.kind) {
    case Transfer::Kind::kAllReduce:
      return reduce(begin, end, to + begin * size);
    case Transfer::Kind::kReduceScatter: {
      size_t own_begin = rank_number * transfer.count;
      size_t first = std::max(begin, own_begin);
      size_t last = std::min(end, own_begin + transfer.count);
      return reduce(first, last, to + (first - own_begin) * size);
    }
    case Transfer::Kind::kAllGather:
      for (int rank = 0; begin < end && rank < ranks_; ++rank) {
        size_t at = static_cast<size_t>(rank) * transfer.count + begin;
        std::memcpy(to + at * size, memory_->chunk(rank, round_),
                    (end - begin) * size);
      }
      return;
    case Transfer::Kind::kBroadcast:
      if (begin < end) {
        std::memcpy(to + begin * size, memory_->chunk(transfer.peer, round_),
                    (end - begin) * size);
      }
      return;
    case Transfer::Kind::kSend:
    case Transfer::Kind::kReceive:
      return;
  }
}

}  // namespace lockstep::internal::cuda
