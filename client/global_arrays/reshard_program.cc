#include "client/global_arrays/reshard_program.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "client/tracer/collectives.h"
#include "client/tracer/creation.h"
#include "client/tracer/data_movement.h"
#include "client/tracer/elementwise.h"

namespace lockstep::internal {
namespace {

// The dimension in which `whole` has `count` pieces of `piece`, and only that.
std::optional<int> OnlyCutDim(absl::Span<const int64_t> whole,
                              absl::Span<const int64_t> piece, int64_t count) {
  std::optional<int> cut;
  for (size_t dim = 0; dim < whole.size(); ++dim) {
    if (whole[dim] == piece[dim]) continue;
    if (cut.has_value() || whole[dim] != count * piece[dim]) {
      return std::nullopt;
    }
    cut = static_cast<int>(dim);
  }
  return cut;
}

// One all_to_all, when every rank has a piece for every rank, in their order:
// it moves a piece once where rounds take it out, send it and put it in.
struct AllToAllDims {
  int split = 0;
  int concat = 0;
};
std::optional<AllToAllDims> MatchAllToAll(const ReshardPlan& plan) {
  const int64_t ranks = plan.rank_count();
  if (ranks < 2 || plan.target_count() != ranks || plan.rounds().empty()) {
    return std::nullopt;
  }
  const auto split = OnlyCutDim(plan.source_shape(), plan.piece_shape(), ranks);
  const auto concat =
      OnlyCutDim(plan.target_shape(), plan.piece_shape(), ranks);
  if (!split.has_value() || !concat.has_value()) return std::nullopt;
  for (const ReshardPlan::Round& round : plan.rounds()) {
    for (const ReshardPlan::Piece& piece : round) {
      if (piece.source_number != piece.target ||
          piece.target_number != piece.source) {
        return std::nullopt;
      }
    }
  }
  return AllToAllDims{*split, *concat};
}

// Within the traced function.
class ReshardTrace {
 public:
  ReshardTrace(const ReshardPlan& plan, Tensor old_shard)
      : plan_(plan),
        rank_(axis_index(kReshardAxis)),
        old_shard_(std::move(old_shard)) {}

  Tensor NewShard() {
    if (const auto dims = MatchAllToAll(plan_)) {
      return all_to_all(old_shard_, kReshardAxis, dims->split, dims->concat,
                        {.tiled = true});
    }
    const Literal zero(Shape(old_shard_.dtype(), {}));
    Tensor shard = broadcast_to(constant(zero), Sizes(plan_.target_shape()));
    for (const ReshardPlan::Round& round : plan_.rounds()) {
      shard = WithRound(round, shard);
    }
    return shard;
  }

 private:
  using Starts = std::vector<Operand>;

  static std::vector<int64_t> Sizes(absl::Span<const int64_t> sizes) {
    return {sizes.begin(), sizes.end()};
  }

  Tensor WithRound(const ReshardPlan::Round& round, const Tensor& shard) const {
    const auto size = static_cast<size_t>(plan_.rank_count());
    const size_t dims = plan_.piece_shape().size();
    // [dimension][rank]
    std::vector<std::vector<int64_t>> sources(dims, std::vector<int64_t>(size));
    std::vector<std::vector<int64_t>> targets(dims, std::vector<int64_t>(size));
    std::vector<int64_t> is_target(size);
    std::vector<std::pair<int64_t, int64_t>> pairs;
    bool moves = false;
    for (const ReshardPlan::Piece& piece : round) {
      pairs.emplace_back(piece.source, piece.target);
      moves = moves || piece.source != piece.target;
      is_target[piece.target] = 1;
      const std::vector<int64_t> from = plan_.SourceStarts(piece);
      const std::vector<int64_t> to = plan_.TargetStarts(piece);
      for (size_t dim = 0; dim < dims; ++dim) {
        sources[dim][piece.source] = from[dim];
        targets[dim][piece.target] = to[dim];
      }
    }
    Tensor piece = Part(old_shard_, sources);
    if (moves) piece = ppermute(piece, kReshardAxis, pairs);
    if (round.size() < size) {
      piece = where(OfRank(is_target) != 0, piece, Part(shard, targets));
    }
    if (dims == 0) return piece;
    return dynamic_update_slice(shard, piece, StartsOf(targets));
  }

  Tensor Part(const Tensor& whole,
              const std::vector<std::vector<int64_t>>& starts) const {
    if (starts.empty()) return whole;
    return dynamic_slice(whole, StartsOf(starts), Sizes(plan_.piece_shape()));
  }

  Starts StartsOf(const std::vector<std::vector<int64_t>>& starts) const {
    Starts of_rank;
    for (const auto& of_dim : starts) of_rank.emplace_back(OfRank(of_dim));
    return of_rank;
  }

  // The value of this copy's rank.
  Tensor OfRank(const std::vector<int64_t>& values) const {
    if (std::all_of(values.begin(), values.end(),
                    [&](int64_t value) { return value == values[0]; })) {
      return constant(values[0]);
    }
    const auto size = static_cast<int64_t>(values.size());
    const Tensor table = constant(Literal::FromValues<int64_t>(
        absl::MakeConstSpan(&size, 1), absl::MakeConstSpan(values)));
    return reshape(dynamic_slice(table, {rank_}, {1}), {});
  }

  const ReshardPlan& plan_;
  const Tensor rank_;
  const Tensor old_shard_;
};

}  // namespace

absl::StatusOr<TracedFunction> TraceReshard(const ReshardPlan& plan,
                                            const Shape& argument) {
  return TraceFunction(
      "reshard", AxisEnvironment::OneAxis(kReshardAxis, plan.rank_count()),
      {argument}, [&](const std::vector<Tensor>& inputs) {
        return std::vector<Tensor>{ReshardedShard(plan, inputs[0])};
      });
}

Tensor ReshardedShard(const ReshardPlan& plan, const Tensor& old_shard) {
  const std::vector<int64_t> source_dims(plan.source_shape().begin(),
                                         plan.source_shape().end());
  return ReshardTrace(plan, reshape(old_shard, source_dims)).NewShard();
}

absl::StatusOr<TracedFunction> TraceZeros(const Shape& shape, int64_t copies) {
  return TraceFunction(
      "zeros", AxisEnvironment::OneAxis(kReshardAxis, copies), {},
      [&](const std::vector<Tensor>&) {
        // A constant would be a program of one copy.
        const Tensor zero =
            astype(axis_index(kReshardAxis) * 0, shape.element_type());
        return std::vector<Tensor>{
            broadcast_to(zero, {shape.dims().begin(), shape.dims().end()})};
      });
}

}  // namespace lockstep::internal
