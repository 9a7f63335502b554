// Collectives that copy bits: each host packs what another's ranks need into
// messages, piece after piece.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/host_collective.h"
#include "runtime/collectives/hierarchical/local_copies.h"
#include "runtime/collectives/part_copies.h"
#include "xxhash.h"

namespace lockstep::internal {
namespace {

// A copy from the operand of one rank to the result of another. Messages hold
// the pieces from one host to another in the order of (source, target).
struct Piece {
  int64_t source = 0;
  int64_t target = 0;
  PartPlace from;
  PartPlace to;

  size_t size() const { return static_cast<size_t>(from.size()); }
};

// What one host sends another, as bytes in the order of the pieces, cut into
// messages.
class PieceStream {
 public:
  PieceStream() = default;
  PieceStream(std::vector<Piece> pieces, size_t message_bytes)
      : pieces_(std::move(pieces)), message_bytes_(message_bytes) {
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const bool repeats = RepeatsPrevious(pieces_, i);
      begins_.push_back(repeats ? begins_.back()
                                : static_cast<int64_t>(bytes_));
      if (!repeats) bytes_ += pieces_[i].size();
    }
  }

  const std::vector<Piece>& pieces() const { return pieces_; }
  size_t bytes() const { return bytes_; }
  int message_count() const {
    return static_cast<int>((bytes_ + message_bytes_ - 1) / message_bytes_);
  }
  size_t MessageBytes(int index) const {
    return std::min(message_bytes_, bytes_ - index * message_bytes_);
  }
  // Hosts compare it: of numbers alone, without a gap between them.
  uint64_t layout() const {
    static_assert(sizeof(Piece) == 10 * sizeof(int64_t));
    return XXH3_64bits_withSeed(pieces_.data(), pieces_.size() * sizeof(Piece),
                                message_bytes_);
  }

  // A piece of which a message holds the bytes [begin, end).
  struct Use {
    const Piece& piece;
    bool repeats = false;  // the piece before, where that lies
    // Where the piece begins, from the start of the message: before it when
    // earlier messages hold its first bytes.
    int64_t at = 0;
    int64_t begin = 0;
    int64_t end = 0;

    PartPlace place() const {
      return PartPlace::OneBlock(at, static_cast<int64_t>(piece.size()));
    }
  };
  std::vector<Use> UsesOf(int index) const {
    const auto begin = index * static_cast<int64_t>(message_bytes_);
    const auto end = begin + static_cast<int64_t>(MessageBytes(index));
    // The last piece that begins no later, or the first that it repeats.
    auto first = std::upper_bound(begins_.begin(), begins_.end(), begin) - 1;
    first = std::lower_bound(begins_.begin(), first, *first);
    std::vector<Use> uses;
    for (size_t i = first - begins_.begin();
         i < pieces_.size() && begins_[i] < end; ++i) {
      const int64_t size = static_cast<int64_t>(pieces_[i].size());
      const int64_t from = std::max<int64_t>(0, begin - begins_[i]);
      const int64_t to = std::min(size, end - begins_[i]);
      if (from >= to) continue;
      uses.push_back({pieces_[i], RepeatsPrevious(pieces_, i),
                      begins_[i] - begin, from, to});
    }
    return uses;
  }

 private:
  // An operand that goes whole to several ranks of a host travels once.
  static bool RepeatsPrevious(const std::vector<Piece>& pieces, size_t i) {
    return i > 0 && pieces[i].source == pieces[i - 1].source &&
           pieces[i].from == pieces[i - 1].from;
  }

  std::vector<Piece> pieces_;
  size_t message_bytes_ = 1;
  std::vector<int64_t> begins_;  // of the pieces, in the stream
  size_t bytes_ = 0;
};

class HostMovement : public HostMessages {
 public:
  explicit HostMovement(const HostCollectiveContext& context);

  absl::Status Run();

  absl::StatusOr<PayloadPtr> Message(int host, int index) override;
  size_t ExpectedBytes(int host, int index) const override {
    return incoming_[host].MessageBytes(index);
  }
  absl::Status Take(int host, int index, PayloadPtr payload) override;
  bool has_work_alone() const override {
    return local_.are_long() && !local_.are_done();
  }
  void WorkAlone() override { local_.DoSome(); }

 private:
  // What host `from` sends to host `to`; at least one of them is this host.
  std::vector<Piece> PiecesBetween(int from, int to) const;
  // Whether `source` sends to `target` in a permute; at least one is local.
  bool Sends(int source, int target) const;

  // Targets of a permute that have no source get zeros.
  void FillUnsent() const;

  // Null when the rank is on another host.
  const Arrival* LocalArrival(int rank) const;

  const HostCollectiveContext& context_;
  const CliquePlan& plan_;
  const size_t bytes_;  // of each operand
  // By host.
  std::vector<PieceStream> outgoing_;
  std::vector<PieceStream> incoming_;
  LocalCopies local_;
};

HostMovement::HostMovement(const HostCollectiveContext& context)
    : context_(context),
      plan_(*context.plan),
      bytes_(context.first().operand.size()),
      outgoing_(plan_.host_count()),
      incoming_(plan_.host_count()),
      local_(context.message_bytes) {
  const int self = plan_.self();
  const auto message_bytes = static_cast<size_t>(context.message_bytes);
  for (int host = 0; host < plan_.host_count(); ++host) {
    if (host == self) continue;
    outgoing_[host] = PieceStream(PiecesBetween(self, host), message_bytes);
    incoming_[host] = PieceStream(PiecesBetween(host, self), message_bytes);
  }
  for (const Piece& piece : PiecesBetween(self, self)) {
    local_.Add({LocalArrival(piece.source)->operand.data(), piece.from,
                LocalArrival(piece.target)->result.data(), piece.to});
  }
}

const Arrival* HostMovement::LocalArrival(int rank) const {
  if (plan_.host_of_rank(rank) != plan_.self()) return nullptr;
  const std::vector<int>& ranks = plan_.local_ranks();
  auto it = std::lower_bound(ranks.begin(), ranks.end(), rank);
  return context_.arrivals[it - ranks.begin()];
}

bool HostMovement::Sends(int source, int target) const {
  if (const Arrival* receiver = LocalArrival(target)) {
    return receiver->source == source;
  }
  absl::Span<const int> targets = LocalArrival(source)->targets;
  return std::find(targets.begin(), targets.end(), target) != targets.end();
}

std::vector<Piece> HostMovement::PiecesBetween(int from, int to) const {
  std::vector<Piece> pieces;
  const auto bytes = static_cast<int64_t>(bytes_);
  const PartPlace whole = PartPlace::OneBlock(0, bytes);
  for (int source : plan_.ranks(from)) {
    for (int target : plan_.ranks(to)) {
      switch (context_.first().kind) {
        case CollectiveKind::kAllGather:
          pieces.push_back({source, target, whole,
                            PartPlace::OneBlock(source * bytes, bytes)});
          break;
        case CollectiveKind::kAllToAll:
          pieces.push_back({source, target,
                            PartPlace::Of(context_.first().sent, target),
                            PartPlace::Of(context_.first().received, source)});
          break;
        case CollectiveKind::kRaggedAllToAll:
          for (const RaggedSlices::Slice& slice :
               context_.first().slices->Between(source, target)) {
            pieces.push_back({source, target,
                              PartPlace::OneBlock(slice.from, slice.size),
                              PartPlace::OneBlock(slice.to, slice.size)});
          }
          break;
        default:
          if (Sends(source, target)) {
            pieces.push_back({source, target, whole, whole});
          }
      }
    }
  }
  return pieces;
}

absl::StatusOr<PayloadPtr> HostMovement::Message(int host, int index) {
  auto payload = context_.buffers->Get(outgoing_[host].MessageBytes(index));
  std::vector<PartRange> ranges;
  for (const PieceStream::Use& use : outgoing_[host].UsesOf(index)) {
    if (use.repeats) continue;
    ranges.push_back({{LocalArrival(use.piece.source)->operand.data(),
                       use.piece.from, payload->data(), use.place()},
                      use.begin,
                      use.end});
  }
  CopyPartRanges(ranges);
  return payload;
}

absl::Status HostMovement::Take(int host, int index, PayloadPtr payload) {
  std::vector<PartRange> ranges;
  for (const PieceStream::Use& use : incoming_[host].UsesOf(index)) {
    ranges.push_back(
        {{payload->data(), use.place(),
          LocalArrival(use.piece.target)->result.data(), use.piece.to},
         use.begin,
         use.end});
  }
  CopyPartRanges(ranges);
  return absl::OkStatus();
}

void HostMovement::FillUnsent() const {
  if (context_.first().kind != CollectiveKind::kPermute) return;
  for (const Arrival* arrival : context_.arrivals) {
    if (arrival->source) continue;
    std::fill(arrival->result.begin(), arrival->result.end(), std::byte{0});
  }
}

absl::Status HostMovement::Run() {
  std::vector<HostStream> streams(plan_.host_count());
  for (int host = 0; host < plan_.host_count(); ++host) {
    streams[host] = {.sent = outgoing_[host].message_count(),
                     .sent_layout = outgoing_[host].layout(),
                     .sent_bytes = outgoing_[host].bytes(),
                     .received = incoming_[host].message_count(),
                     .received_layout = incoming_[host].layout()};
    streams[host].is_concerned =
        !outgoing_[host].pieces().empty() || !incoming_[host].pieces().empty();
  }
  RETURN_IF_ERROR(
      context_.exchange->Exchange(context_.first(), streams, *this));
  local_.DoAll();
  FillUnsent();
  return absl::OkStatus();
}

}  // namespace

absl::Status RunMovement(const HostCollectiveContext& context) {
  return HostMovement(context).Run();
}

absl::Status RunHostCollective(const HostCollectiveContext& context) {
  switch (context.first().kind) {
    case CollectiveKind::kAllReduce:
    case CollectiveKind::kReduceScatter:
      return RunReduction(context);
    case CollectiveKind::kBroadcast:
      return RunBroadcast(context);
    default:
      return RunMovement(context);
  }
}

}  // namespace lockstep::internal
