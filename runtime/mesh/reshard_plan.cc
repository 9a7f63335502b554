#include "runtime/mesh/reshard_plan.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "runtime/base/status.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/shard_layout.h"

namespace lockstep {
namespace {

using Piece = ReshardPlan::Piece;

// Of a device that has no old shard.
constexpr int64_t kNoShard = -1;

// The ranks that hold each of the old shards, by its number, and those of one
// host among them.
class Holders {
 public:
  Holders(absl::Span<const Device> devices, absl::Span<const int64_t> numbers,
          int64_t shard_count)
      : devices_(devices), of_shard_(shard_count) {
    for (size_t rank = 0; rank < numbers.size(); ++rank) {
      if (numbers[rank] == kNoShard) continue;
      const auto id = static_cast<int32_t>(rank);
      of_shard_[numbers[rank]].push_back(id);
      of_host_[{numbers[rank], devices[rank].host}].push_back(id);
    }
  }

  // From whom `target` takes a piece of the shard, when it has it not itself:
  // the targets of one shard take turns with its holders.
  int32_t Choose(int64_t shard, int32_t target) const {
    const auto near = of_host_.find({shard, devices_[target].host});
    const std::vector<int32_t>& ranks =
        near == of_host_.end() ? of_shard_[shard] : near->second;
    return ranks[target % ranks.size()];
  }

 private:
  const absl::Span<const Device> devices_;
  std::vector<std::vector<int32_t>> of_shard_;
  absl::flat_hash_map<std::pair<int64_t, HostId>, std::vector<int32_t>>
      of_host_;
};

// Rounds in which ranks are busy, and the first in which two are free.
class Timetable {
 public:
  explicit Timetable(int64_t ranks) : sends_(ranks), receives_(ranks) {}

  size_t Book(int32_t source, int32_t target) {
    Side& sends = sends_[source];
    Side& receives = receives_[target];
    size_t word = std::max(sends.full_words, receives.full_words);
    while (~(sends.Word(word) | receives.Word(word)) == 0) ++word;
    const int bit = std::countr_one(sends.Word(word) | receives.Word(word));
    sends.Take(word, bit);
    receives.Take(word, bit);
    return word * 64 + bit;
  }

 private:
  // The rounds in which a rank is busy, a bit each.
  struct Side {
    uint64_t Word(size_t word) const {
      return word < busy.size() ? busy[word] : 0;
    }
    void Take(size_t word, int bit) {
      if (busy.size() <= word) busy.resize(word + 1);
      busy[word] |= uint64_t{1} << bit;
      while (full_words < busy.size() && ~busy[full_words] == 0) ++full_words;
    }

    std::vector<uint64_t> busy;
    size_t full_words = 0;  // from the first one on
  };

  std::vector<Side> sends_;
  std::vector<Side> receives_;
};

std::vector<int64_t> Quotients(absl::Span<const int64_t> a,
                               absl::Span<const int64_t> b) {
  std::vector<int64_t> quotients;
  for (size_t i = 0; i < a.size(); ++i) quotients.push_back(a[i] / b[i]);
  return quotients;
}

int64_t Product(absl::Span<const int64_t> values) {
  return std::accumulate(values.begin(), values.end(), int64_t{1},
                         std::multiplies<>());
}

std::vector<Device> Ranks(const Mesh& from, const Mesh& to) {
  std::vector<Device> devices(to.devices().begin(), to.devices().end());
  for (const Device& device : from.devices()) {
    if (!to.PositionOf(device.id).has_value()) devices.push_back(device);
  }
  return devices;
}

// By rank: the number of the old shard that its device holds, or kNoShard.
std::vector<int64_t> OldShards(const Mesh& from,
                               absl::Span<const Device> devices,
                               const ShardLayout& layout) {
  std::vector<int64_t> numbers;
  numbers.reserve(devices.size());
  for (const Device& device : devices) {
    const std::optional<int64_t> position = from.PositionOf(device.id);
    numbers.push_back(position.has_value() ? layout.shard_numbers()[*position]
                                           : kNoShard);
  }
  return numbers;
}

// The pieces of the new shard of one rank, in the order of their numbers.
class PieceWalk {
 public:
  PieceWalk(const ShardLayout& from, const ShardLayout& to,
            absl::Span<const int64_t> piece_shape)
      : to_(to),
        old_counts_(from.shard_counts().begin(), from.shard_counts().end()),
        per_old_(Quotients(from.shard_shape(), piece_shape)),
        per_new_(Quotients(to.shard_shape(), piece_shape)),
        count_(Product(per_new_)) {}

  // visit(old shard, number in it, number in the new shard)
  template <typename Visit>
  void ForEach(int64_t rank, Visit&& visit) const {
    const size_t dims = per_new_.size();
    std::vector<int64_t> first(dims);  // in pieces of the whole array
    int64_t number = to_.shard_numbers()[rank];
    for (size_t dim = dims; dim-- > 0;) {
      first[dim] = number % to_.shard_counts()[dim] * per_new_[dim];
      number /= to_.shard_counts()[dim];
    }
    for (int64_t piece = 0; piece < count_; ++piece) {
      int64_t rest = piece;
      int64_t shard = 0;
      int64_t in_shard = 0;
      int64_t shard_weight = 1;
      int64_t weight = 1;
      for (size_t dim = dims; dim-- > 0;) {
        const int64_t place = first[dim] + rest % per_new_[dim];
        rest /= per_new_[dim];
        shard += place / per_old_[dim] * shard_weight;
        in_shard += place % per_old_[dim] * weight;
        shard_weight *= old_counts_[dim];
        weight *= per_old_[dim];
      }
      visit(shard, in_shard, piece);
    }
  }

 private:
  const ShardLayout& to_;
  const std::vector<int64_t> old_counts_;
  const std::vector<int64_t> per_old_;
  const std::vector<int64_t> per_new_;
  const int64_t count_;
};

}  // namespace

absl::StatusOr<ReshardPlan> ReshardPlan::Create(
    const NamedSharding& from, const NamedSharding& to,
    absl::Span<const int64_t> shape) {
  ASSIGN_OR_RETURN(const ShardLayout old_layout,
                   ShardLayout::Create(from, shape));
  ASSIGN_OR_RETURN(const ShardLayout new_layout,
                   ShardLayout::Create(to, shape));
  ReshardPlan plan;
  plan.devices_ = Ranks(from.mesh(), to.mesh());
  plan.target_count_ = to.mesh().size();
  const std::vector<int64_t> old_shards =
      OldShards(from.mesh(), plan.devices_, old_layout);
  for (int64_t number : old_shards) {
    plan.is_source_.push_back(number != kNoShard);
  }
  plan.source_shape_.assign(old_layout.shard_shape().begin(),
                            old_layout.shard_shape().end());
  plan.target_shape_.assign(new_layout.shard_shape().begin(),
                            new_layout.shard_shape().end());
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    plan.piece_shape_.push_back(
        std::gcd(plan.source_shape_[dim], plan.target_shape_[dim]));
  }
  if (Product(shape) == 0) return plan;
  const Holders holders(plan.devices_, old_shards, old_layout.shard_count());
  const PieceWalk walk(old_layout, new_layout, plan.piece_shape_);
  const auto ranks = static_cast<int32_t>(plan.rank_count());
  // Ranks turn to their successors in step, so that few rounds do.
  std::vector<std::vector<Piece>> by_distance(ranks);
  for (int32_t target = 0; target < plan.target_count_; ++target) {
    walk.ForEach(target, [&](int64_t shard, int64_t source_number,
                             int64_t target_number) {
      const int32_t source =
          old_shards[target] == shard ? target : holders.Choose(shard, target);
      by_distance[(source - target + ranks) % ranks].push_back(
          {source, target, source_number, target_number});
    });
  }
  Timetable timetable(ranks);
  for (std::vector<Piece>& pieces : by_distance) {
    for (const Piece& piece : pieces) {
      const size_t round = timetable.Book(piece.source, piece.target);
      while (round >= plan.rounds_.size()) {
        // At most one piece for each rank.
        plan.rounds_.emplace_back().reserve(
            std::min(pieces.size(), static_cast<size_t>(ranks)));
      }
      plan.rounds_[round].push_back(piece);
      plan.moved_count_ += piece.source != piece.target ? 1 : 0;
    }
    pieces = {};
  }
  return plan;
}

std::vector<int64_t> ReshardPlan::Starts(
    int64_t number, absl::Span<const int64_t> shard_shape) const {
  std::vector<int64_t> starts(shard_shape.size());
  for (size_t dim = shard_shape.size(); dim-- > 0;) {
    const int64_t count = shard_shape[dim] / piece_shape_[dim];
    starts[dim] = number % count * piece_shape_[dim];
    number /= count;
  }
  return starts;
}

}  // namespace lockstep
