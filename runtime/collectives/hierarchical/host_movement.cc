// Collectives that copy bits: each host packs what another's ranks need into
// one message.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/host_collective.h"
#include "xxhash.h"

namespace lockstep::internal {
namespace {

// A copy from the operand of one rank to the result of another. Messages hold
// the pieces from one host to another in the order of (source, target).
struct Piece {
  int source = 0;
  int target = 0;
  size_t source_offset = 0;
  size_t target_offset = 0;
  size_t bytes = 0;
};

uint64_t LayoutOf(const std::vector<Piece>& pieces) {
  return XXH3_64bits(pieces.data(), pieces.size() * sizeof(Piece));
}

// An operand that goes whole to several ranks of a host travels once.
bool RepeatsPrevious(const std::vector<Piece>& pieces, size_t i) {
  return i > 0 && pieces[i].source == pieces[i - 1].source &&
         pieces[i].source_offset == pieces[i - 1].source_offset &&
         pieces[i].bytes == pieces[i - 1].bytes;
}

size_t TotalBytes(const std::vector<Piece>& pieces) {
  size_t bytes = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!RepeatsPrevious(pieces, i)) bytes += pieces[i].bytes;
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
  void CopyLocally() const;
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
  const size_t chunk = bytes_ / plan_.rank_count();
  for (int source : plan_.ranks(from)) {
    for (int target : plan_.ranks(to)) {
      switch (context_.first().kind) {
        case CollectiveKind::kAllGather:
          pieces.push_back({source, target, 0, source * bytes_, bytes_});
          break;
        case CollectiveKind::kAllToAll:
          pieces.push_back(
              {source, target, target * chunk, source * chunk, chunk});
          break;
        case CollectiveKind::kBroadcast:
          if (source != context_.first().root) break;
          pieces.push_back({source, target, 0, 0, bytes_});
          break;
        default:
          if (Sends(source, target)) {
            pieces.push_back({source, target, 0, 0, bytes_});
          }
      }
    }
  }
  return pieces;
}

PayloadPtr HostMovement::Pack(const std::vector<Piece>& pieces) const {
  auto payload = context_.buffers->Get(TotalBytes(pieces));
  std::byte* out = payload->data();
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (RepeatsPrevious(pieces, i) || pieces[i].bytes == 0) continue;
    const Piece& piece = pieces[i];
    std::memcpy(
        out, LocalArrival(piece.source)->operand.data() + piece.source_offset,
        piece.bytes);
    out += piece.bytes;
  }
  return payload;
}

void HostMovement::Unpack(const std::vector<Piece>& pieces,
                          const std::byte* from) const {
  const std::byte* next = from;
  const std::byte* current = from;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    if (!RepeatsPrevious(pieces, i)) {
      current = next;
      next += piece.bytes;
    }
    if (piece.bytes == 0) continue;
    std::memcpy(LocalArrival(piece.target)->result.data() + piece.target_offset,
                current, piece.bytes);
  }
}

void HostMovement::CopyLocally() const {
  for (const Piece& piece : PiecesBetween(plan_.self(), plan_.self())) {
    if (piece.bytes == 0) continue;
    std::memcpy(
        LocalArrival(piece.target)->result.data() + piece.target_offset,
        LocalArrival(piece.source)->operand.data() + piece.source_offset,
        piece.bytes);
  }
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
  ASSIGN_OR_RETURN(std::vector<PayloadPtr> received,
                   context_.exchange->Exchange(context_.first(), 0, parts));
  for (int host = 0; host < plan_.host_count(); ++host) {
    if (host != self && received[host] != nullptr) {
      Unpack(incoming[host], received[host]->data());
    }
  }
  CopyLocally();
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
