// Collectives that copy bits: each host packs what another's ranks need into
// one message.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/host_collective.h"
#include "runtime/collectives/part_copies.h"
#include "xxhash.h"

namespace lockstep::internal {
namespace {

// Of the operands of this host's ranks: as long as it takes to send them, there
// is time to copy.
constexpr size_t kLongBytes = size_t{1} << 20;

// A copy from the operand of one rank to the result of another. Messages hold
// the pieces from one host to another in the order of (source, target).
struct Piece {
  int64_t source = 0;
  int64_t target = 0;
  PartPlace from;
  PartPlace to;

  size_t size() const { return static_cast<size_t>(from.size()); }
};

// Hosts compare it: of numbers alone, without a gap between them.
uint64_t LayoutOf(const std::vector<Piece>& pieces) {
  static_assert(sizeof(Piece) == 10 * sizeof(int64_t));
  return XXH3_64bits(pieces.data(), pieces.size() * sizeof(Piece));
}

// An operand that goes whole to several ranks of a host travels once.
bool RepeatsPrevious(const std::vector<Piece>& pieces, size_t i) {
  return i > 0 && pieces[i].source == pieces[i - 1].source &&
         pieces[i].from == pieces[i - 1].from;
}

size_t TotalBytes(const std::vector<Piece>& pieces) {
  size_t bytes = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!RepeatsPrevious(pieces, i)) bytes += pieces[i].size();
  }
  return bytes;
}

class HostMovement {
 public:
  explicit HostMovement(const HostCollectiveContext& context)
      : context_(context),
        plan_(*context.plan),
        bytes_(context.first().operand.size()) {}

  absl::Status Run();

 private:
  // What host `from` sends to host `to`; at least one of them is this host.
  std::vector<Piece> PiecesBetween(int from, int to) const;
  // Whether `source` sends to `target` in a permute; at least one is local.
  bool Sends(int source, int target) const;

  PayloadPtr Pack(const std::vector<Piece>& pieces) const;
  void Unpack(const std::vector<Piece>& pieces, const std::byte* from) const;
  void CopyLocally(const std::vector<Piece>& pieces) const;
  // Targets of a permute that have no source get zeros.
  void FillUnsent() const;

  // Null when the rank is on another host.
  const Arrival* LocalArrival(int rank) const;

  const HostCollectiveContext& context_;
  const CliquePlan& plan_;
  const size_t bytes_;  // of each operand
};

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
        case CollectiveKind::kBroadcast:
          if (source != context_.first().root) break;
          pieces.push_back({source, target, whole, whole});
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

PayloadPtr HostMovement::Pack(const std::vector<Piece>& pieces) const {
  auto payload = context_.buffers->Get(TotalBytes(pieces));
  std::vector<PartCopy> copies;
  int64_t end = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (RepeatsPrevious(pieces, i)) continue;
    const Piece& piece = pieces[i];
    copies.push_back({LocalArrival(piece.source)->operand.data(), piece.from,
                      payload->data(),
                      PartPlace::OneBlock(end, piece.from.size())});
    end += piece.from.size();
  }
  CopyParts(copies);
  return payload;
}

void HostMovement::Unpack(const std::vector<Piece>& pieces,
                          const std::byte* from) const {
  std::vector<PartCopy> copies;
  int64_t next = 0;
  int64_t current = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (!RepeatsPrevious(pieces, i)) {
      current = next;
      next += piece.from.size();
    }
    copies.push_back({from, PartPlace::OneBlock(current, piece.from.size()),
                      LocalArrival(piece.target)->result.data(), piece.to});
  }
  CopyParts(copies);
}

void HostMovement::CopyLocally(const std::vector<Piece>& pieces) const {
  std::vector<PartCopy> copies;
  for (const Piece& piece : pieces) {
    copies.push_back({LocalArrival(piece.source)->operand.data(), piece.from,
                      LocalArrival(piece.target)->result.data(), piece.to});
  }
  CopyParts(copies);
}

void HostMovement::FillUnsent() const {
  if (context_.first().kind != CollectiveKind::kPermute) return;
  for (const Arrival* arrival : context_.arrivals) {
    if (arrival->source) continue;
    std::fill(arrival->result.begin(), arrival->result.end(), std::byte{0});
  }
}

absl::Status HostMovement::Run() {
  const int self = plan_.self();
  std::vector<HostPart> parts(plan_.host_count());
  std::vector<std::vector<Piece>> incoming(plan_.host_count());
  for (int host = 0; host < plan_.host_count(); ++host) {
    if (host == self) continue;
    std::vector<Piece> outgoing = PiecesBetween(self, host);
    incoming[host] = PiecesBetween(host, self);
    parts[host] = {Pack(outgoing), LayoutOf(outgoing),
                   TotalBytes(incoming[host]), LayoutOf(incoming[host])};
  }
  const std::vector<Piece> local = PiecesBetween(self, self);
  // What is short comes after the exchange: nobody has to wake for messages
  // then.
  const bool is_long =
      !local.empty() && bytes_ * context_.arrivals.size() >= kLongBytes;
  std::function<void()> meanwhile;
  if (is_long) meanwhile = [this, &local] { CopyLocally(local); };
  ASSIGN_OR_RETURN(
      std::vector<PayloadPtr> received,
      context_.exchange->Exchange(context_.first(), 0, parts, meanwhile));
  for (int host = 0; host < plan_.host_count(); ++host) {
    if (host != self && received[host] != nullptr) {
      Unpack(incoming[host], received[host]->data());
    }
  }
  if (!is_long) CopyLocally(local);
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
    default:
      return RunMovement(context);
  }
}

}  // namespace lockstep::internal
