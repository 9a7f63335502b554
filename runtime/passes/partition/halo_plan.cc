#include "runtime/passes/partition/halo_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace lockstep::internal {
namespace {

// Each exchange has a latency, which many small ones would add up.
constexpr int64_t kMostExchanges = 8;

// Elements from `begin` to `end`, of the whole dim, that a device needs of one
// shard.
struct Transfer {
  int64_t source;
  int64_t target;
  int64_t begin;
  int64_t end;
};

// None: a device needs more shards than it may have exchanges.
std::optional<std::vector<Transfer>> TransfersOf(const HaloWindow& window,
                                                 int64_t shard_size,
                                                 int64_t shards) {
  std::vector<Transfer> transfers;
  for (int64_t i = 0; i < shards; ++i) {
    const int64_t start = window.StartOf(i);
    const int64_t begin = std::max({start, window.used_begin, int64_t{0}});
    const int64_t end =
        std::min({window.EndOf(i), window.used_end, window.size});
    if ((end - begin) / shard_size > kMostExchanges + 1) return std::nullopt;
    for (int64_t place = begin; place < end;) {
      const int64_t source = place / shard_size;
      const int64_t next = std::min(end, (source + 1) * shard_size);
      transfers.push_back({source, i, place, next});
      place = next;
    }
  }
  return transfers;
}

HaloPiece EmptyPiece(int64_t shards) {
  const auto count = static_cast<size_t>(shards);
  return {.length = 0,
          .sources = std::vector<int64_t>(count, -1),
          .starts = std::vector<int64_t>(count, 0),
          .places = std::vector<int64_t>(count, 0)};
}

// Windows that move by a shard from device to device: they lie in the same way
// over shards everywhere, and each shard under them is a piece.
HaloPlan TiledPlan(const HaloWindow& window,
                   const std::vector<Transfer>& transfers, int64_t shard_size,
                   int64_t shards) {
  HaloPlan plan;
  plan.is_tiled = true;
  const int64_t offset =
      window.first - FloorDivide(window.first, shard_size) * shard_size;
  for (int64_t begin = -offset; begin < window.length; begin += shard_size) {
    HaloPiece piece = EmptyPiece(shards);
    const int64_t cut = std::max<int64_t>(0, -begin);
    piece.length = std::min(begin + shard_size, window.length) - (begin + cut);
    std::fill(piece.starts.begin(), piece.starts.end(), cut);
    std::fill(piece.places.begin(), piece.places.end(), begin + cut);
    for (const Transfer& transfer : transfers) {
      const int64_t place = transfer.begin - window.StartOf(transfer.target);
      if (place >= begin && place < begin + shard_size) {
        piece.sources[transfer.target] = transfer.source;
      }
    }
    plan.pieces.push_back(std::move(piece));
  }
  return plan;
}

// Which transfers are made at once: a device sends to one other, and receives
// from one.
class Rounds {
 public:
  explicit Rounds(int64_t shards) : shards_(shards) {}

  // False: it would be one exchange too many.
  bool Add(const Transfer& transfer) {
    for (size_t r = 0; r < rounds_.size(); ++r) {
      if (!sends_[r][transfer.source] && !receives_[r][transfer.target]) {
        AddTo(r, transfer);
        return true;
      }
    }
    if (rounds_.size() == kMostExchanges) return false;
    rounds_.emplace_back();
    sends_.emplace_back(static_cast<size_t>(shards_), false);
    receives_.emplace_back(static_cast<size_t>(shards_), false);
    AddTo(rounds_.size() - 1, transfer);
    return true;
  }

  const std::vector<std::vector<Transfer>>& rounds() const { return rounds_; }

 private:
  void AddTo(size_t r, const Transfer& transfer) {
    rounds_[r].push_back(transfer);
    sends_[r][transfer.source] = true;
    receives_[r][transfer.target] = true;
  }

  const int64_t shards_;
  std::vector<std::vector<Transfer>> rounds_;
  std::vector<std::vector<bool>> sends_, receives_;
};

HaloPiece PieceOf(const std::vector<Transfer>& round, const HaloWindow& window,
                  int64_t shard_size, int64_t shards) {
  HaloPiece piece = EmptyPiece(shards);
  for (const Transfer& transfer : round) {
    piece.length = std::max(piece.length, transfer.end - transfer.begin);
  }
  std::fill(piece.places.begin(), piece.places.end(), -piece.length);
  for (const auto& [source, target, begin, end] : round) {
    const int64_t shard_start = source * shard_size;
    const int64_t start =
        std::min(begin - shard_start, shard_size - piece.length);
    piece.sources[target] = source;
    piece.starts[source] = start;
    piece.places[target] = shard_start + start - window.StartOf(target);
  }
  return piece;
}

std::optional<HaloPlan> PlanInOrder(const HaloWindow& window,
                                    const std::vector<Transfer>& transfers,
                                    int64_t shard_size, int64_t shards) {
  std::vector<Transfer> own;
  Rounds rounds(shards);
  for (const Transfer& transfer : transfers) {
    if (transfer.source == transfer.target) {
      own.push_back(transfer);
    } else if (!rounds.Add(transfer)) {
      return std::nullopt;
    }
  }
  HaloPlan plan;
  if (!own.empty()) {
    plan.pieces.push_back(PieceOf(own, window, shard_size, shards));
  }
  for (const std::vector<Transfer>& round : rounds.rounds()) {
    plan.pieces.push_back(PieceOf(round, window, shard_size, shards));
  }
  if (plan.pieces.empty()) return std::nullopt;
  return plan;
}

// A round is as long as its longest transfer: those over one distance, which
// are about as long as each other, may send less, and need more rounds.
std::optional<HaloPlan> ScatteredPlan(const HaloWindow& window,
                                      std::vector<Transfer> transfers,
                                      int64_t shard_size, int64_t shards) {
  std::optional<HaloPlan> plan =
      PlanInOrder(window, transfers, shard_size, shards);
  std::stable_sort(transfers.begin(), transfers.end(),
                   [](const Transfer& a, const Transfer& b) {
                     return a.source - a.target < b.source - b.target;
                   });
  std::optional<HaloPlan> by_distance =
      PlanInOrder(window, transfers, shard_size, shards);
  if (!by_distance.has_value()) return plan;
  if (plan.has_value() && plan->SentLength() <= by_distance->SentLength()) {
    return plan;
  }
  return by_distance;
}

}  // namespace

int64_t FloorDivide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

int64_t HaloWindow::StartOf(int64_t shard) const {
  return FloorDivide(step * shard + first, divisor);
}

int64_t HaloWindow::EndOf(int64_t shard) const {
  const int64_t end = StartOf(shard) + length;
  if (reach == 0) return end;
  return std::min(end, FloorDivide(step * shard + last, divisor) + reach);
}

int64_t HaloWindow::RemainderOf(int64_t shard) const {
  const int64_t place = step * shard + first;
  return place - divisor * FloorDivide(place, divisor);
}

bool HaloWindow::MovesBy(int64_t shard_size) const {
  return divisor == 1 && std::abs(step) == shard_size;
}

bool HaloWindow::ReachesOutside(int64_t shards) const {
  for (int64_t i = 0; i < shards; ++i) {
    const int64_t begin = std::max(StartOf(i), used_begin);
    const int64_t end = std::min(StartOf(i) + length, used_end);
    if (begin < end && (begin < 0 || end > size)) return true;
  }
  return false;
}

bool HaloPiece::IsOwn() const {
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] != -1 && sources[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

int64_t HaloPlan::SentLength() const {
  int64_t length = 0;
  for (const HaloPiece& piece : pieces) {
    if (!piece.IsOwn()) length += piece.length;
  }
  return length;
}

std::optional<HaloPlan> PlanHalo(const HaloWindow& window, int64_t shard_size,
                                 int64_t shards) {
  if (window.length < 1 || shard_size < 1) return std::nullopt;
  const std::optional<std::vector<Transfer>> transfers =
      TransfersOf(window, shard_size, shards);
  if (!transfers.has_value()) return std::nullopt;
  if (!window.MovesBy(shard_size) ||
      window.length / shard_size > 2 * kMostExchanges) {
    return ScatteredPlan(window, *transfers, shard_size, shards);
  }
  HaloPlan plan = TiledPlan(window, *transfers, shard_size, shards);
  const int64_t exchanges =
      std::count_if(plan.pieces.begin(), plan.pieces.end(),
                    [](const HaloPiece& piece) { return !piece.IsOwn(); });
  if (exchanges > kMostExchanges) return std::nullopt;
  return plan;
}

HaloPlan PlanRotation(int64_t amount, int64_t shard_size, int64_t shards) {
  HaloPlan plan;
  plan.is_tiled = true;
  const int64_t offset = amount % shard_size;
  const auto add = [&](int64_t distance, int64_t start, int64_t end) {
    if (start == end) return;
    HaloPiece piece = EmptyPiece(shards);
    piece.length = end - start;
    for (int64_t i = 0; i < shards; ++i) {
      piece.sources[i] = (i + distance) % shards;
      piece.starts[i] = start;
      piece.places[i] = start == 0 ? shard_size - end : 0;
    }
    plan.pieces.push_back(std::move(piece));
  };
  add(amount / shard_size, offset, shard_size);
  add(amount / shard_size + 1, 0, offset);
  return plan;
}

}  // namespace lockstep::internal
