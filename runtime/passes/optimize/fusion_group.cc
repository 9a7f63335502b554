#include "runtime/passes/optimize/fusion_group.h"

#include <algorithm>

#include "runtime/ir/op_def.h"

namespace lockstep::internal {
namespace {

// In how many contexts a value may be computed: a costly one once.
constexpr size_t kMaxContexts = 4;
// What may be computed again for every element that a broadcast makes of one.
constexpr int kMaxRepeatedCost = 1;
// A row must stay in the cache while the kernel goes over it several times.
constexpr int64_t kMaxRowElements = 128 * 1024;
// How far back the reduce is looked for that gives a row its values.
constexpr size_t kMaxSearchedOps = 16;

double Product(absl::Span<const int64_t> dims) {
  double product = 1;
  for (int64_t dim : dims) product *= static_cast<double>(dim);
  return product;
}

void AddUnique(FusionGroup::Contexts& contexts, FusionGroup::Context context) {
  if (std::find(contexts.begin(), contexts.end(), context) == contexts.end()) {
    contexts.push_back(context);
  }
}

bool IsOnly(const FusionGroup::Contexts& contexts,
            FusionGroup::Context context) {
  return contexts.size() == 1 && contexts[0] == context;
}

// Whether `value`, of row dims, comes from a reduce of full dims over the last
// ones, through elementwise ops of row dims.
bool ComesFromRowReduce(const Value* value, absl::Span<const int64_t> full_dims,
                        FusionRoles& roles) {
  const auto row_dims = value->shape().dims();
  std::vector<const Op*> pending = {value->defining_op()};
  for (size_t i = 0; i < pending.size() && i < kMaxSearchedOps; ++i) {
    const Op* op = pending[i];
    if (op == nullptr || op->result_count() == 0) continue;
    const FusionRole role = roles.Of(*op);
    if (role == FusionRole::kReduce) {
      if (op->operand(0)->shape().dims() == full_dims &&
          AreTrailing(ReducedDimsOf(*op), full_dims.size())) {
        return true;
      }
    } else if (role == FusionRole::kElementwise) {
      for (const Value* operand : op->operands()) {
        if (operand->shape().dims() == row_dims) {
          pending.push_back(operand->defining_op());
        }
      }
    }
  }
  return false;
}

}  // namespace

FusionGroup::FusionGroup(const Op& root, int place, FusionRoles& roles)
    : roles_(roles), place_(place) {
  const auto dims = root.result()->shape().dims();
  full_dims_.assign(dims.begin(), dims.end());
  Contexts contexts = {kFull};
  if (roles_.Of(root) == FusionRole::kReduce) {
    BecomeReduce(root);
    contexts = {kRow};
  }
  Add(root, std::move(contexts), /*is_output=*/true);
  if (IsRowBroadcast(root)) TryBecomeRows(root);
}

double FusionGroup::Iterations(Context context) const {
  if (context == kFull) return Product(full_dims_);
  if (context == kRow) return Product(row_dims_);
  return mapped_iterations_[context - 2];
}

FusionGroup::Context FusionGroup::MappedContext(const Op& user, int i,
                                                Context context) {
  const auto next = static_cast<Context>(mapped_iterations_.size() + 2);
  const auto [it, is_new] =
      mapped_.emplace(std::make_pair(std::make_pair(&user, i), context), next);
  if (is_new) {
    // Of several operands (concatenate, pad) each gives only its part.
    const double part =
        static_cast<double>(user.operand(i)->shape().element_count()) /
        static_cast<double>(user.result()->shape().element_count());
    const bool is_joined = user.name() == "stablehlo.concatenate" ||
                           user.name() == "stablehlo.pad";
    mapped_iterations_.push_back(Iterations(context) *
                                 (is_joined ? std::min(part, 1.0) : 1.0));
  }
  return it->second;
}

void FusionGroup::AddContexts(const Op& user, int i, Contexts& contexts) {
  const Contexts own = contexts_.at(&user);
  const FusionRole role = roles_.Of(user);
  const auto operand_dims = user.operand(i)->shape().dims();
  for (Context context : own) {
    if (role == FusionRole::kReduce && i < user.result_count()) {
      AddUnique(contexts, kFull);
    } else if (role == FusionRole::kElementwise &&
               operand_dims == user.result()->shape().dims()) {
      AddUnique(contexts, context);
    } else if (kind_ == FusionKind::kRows && context == kFull &&
               operand_dims == absl::MakeConstSpan(row_dims_) &&
               IsRowBroadcast(user)) {
      AddUnique(contexts, kRow);
    } else {
      AddUnique(contexts, MappedContext(user, i, context));
    }
  }
}

bool FusionGroup::TryJoin(const Op& op, const Contexts& contexts,
                          bool is_output) {
  if (static_cast<int>(members_.size()) >= kMaxOps) return false;
  if (is_output && output_values_ + op.result_count() > kMaxOutputs) {
    return false;
  }
  const bool is_reduce = roles_.Of(op) == FusionRole::kReduce;
  if (is_reduce ? !FitsReduce(op, contexts)
                : !FitsContexts(op, contexts, is_output)) {
    return false;
  }
  if (!FitsInputs(op)) return false;
  Contexts own = contexts;
  if (is_reduce) {
    if (kind_ == FusionKind::kLoop) BecomeReduce(op);
    own = {kRow};
  } else if (is_output && kind_ == FusionKind::kReduce &&
             IsOnly(contexts, kFull)) {
    kind_ = FusionKind::kRows;
  }
  Add(op, std::move(own), is_output);
  if (IsRowBroadcast(op) && IsOnly(contexts, kFull)) TryBecomeRows(op);
  return true;
}

bool FusionGroup::FitsContexts(const Op& op, const Contexts& contexts,
                               bool is_output) {
  if (is_output) {
    if (IsOnly(contexts, kFull)) {
      if (kind_ == FusionKind::kReduce && !CanBecomeRows(row_dims_.size())) {
        return false;
      }
    } else if (!IsOnly(contexts, kRow)) {
      return false;
    }
  }
  const int cost = ElementCost(op);
  if (contexts.size() > (cost > kMaxRepeatedCost ? 1 : kMaxContexts)) {
    return false;
  }
  const Shape& shape = op.result()->shape();
  // What does not change within a loop is computed before it.
  if (shape.element_count() == 1) return true;
  double iterations = 0;
  for (Context context : contexts) iterations += Iterations(context);
  return cost <= kMaxRepeatedCost ||
         iterations <= static_cast<double>(shape.element_count());
}

bool FusionGroup::FitsReduce(const Op& reduce, const Contexts& contexts) const {
  const auto operand_dims = reduce.operand(0)->shape().dims();
  if (kind_ == FusionKind::kLoop) {
    return IsOnly(contexts, kFull) &&
           reduce.result()->shape().dims() == absl::MakeConstSpan(full_dims_);
  }
  return IsOnly(contexts, kRow) &&
         operand_dims == absl::MakeConstSpan(full_dims_) &&
         ReducedDimsOf(reduce) == reduced_dims_;
}

bool FusionGroup::FitsInputs(const Op& op) {
  size_t count = inputs_.size() + output_values_;
  for (const Value* operand : op.operands()) {
    if (!roles_.IsLeaf(operand) && !inputs_.contains(operand)) ++count;
  }
  for (const auto& result : op.results()) count -= inputs_.count(result.get());
  return count <= kMaxInputs;
}

bool FusionGroup::CanBecomeRows(int64_t row_rank) const {
  const auto columns = absl::MakeConstSpan(full_dims_).subspan(row_rank);
  if (Product(columns) > static_cast<double>(kMaxRowElements)) return false;
  return kind_ != FusionKind::kReduce ||
         (AreTrailing(reduced_dims_, full_dims_.size()) &&
          static_cast<int64_t>(row_dims_.size()) == row_rank);
}

void FusionGroup::TryBecomeRows(const Op& row_broadcast) {
  const Value* row = row_broadcast.operand(0);
  const int64_t row_rank = row->shape().rank();
  if (kind_ == FusionKind::kRows || !CanBecomeRows(row_rank) ||
      row_broadcast.result()->shape().dims() !=
          absl::MakeConstSpan(full_dims_) ||
      !ComesFromRowReduce(row, full_dims_, roles_)) {
    return;
  }
  kind_ = FusionKind::kRows;
  row_dims_.assign(full_dims_.begin(), full_dims_.begin() + row_rank);
  reduced_dims_.clear();
  for (size_t i = row_rank; i < full_dims_.size(); ++i) {
    reduced_dims_.push_back(static_cast<int64_t>(i));
  }
}

void FusionGroup::BecomeReduce(const Op& reduce) {
  kind_ = FusionKind::kReduce;
  row_dims_ = full_dims_;
  const auto dims = reduce.operand(0)->shape().dims();
  full_dims_.assign(dims.begin(), dims.end());
  reduced_dims_ = ReducedDimsOf(reduce);
  for (auto& [op, contexts] : contexts_) {
    for (Context& context : contexts) {
      if (context == kFull) context = kRow;
    }
  }
  // Ways through index maps are told apart by where they start.
  absl::flat_hash_map<std::pair<std::pair<const Op*, int>, Context>, Context>
      mapped;
  for (const auto& [key, context] : mapped_) {
    mapped[{key.first, key.second == kFull ? kRow : key.second}] = context;
  }
  mapped_ = std::move(mapped);
}

void FusionGroup::Add(const Op& op, Contexts contexts, bool is_output) {
  members_.push_back(&op);
  contexts_[&op] = std::move(contexts);
  if (is_output) {
    outputs_.insert(&op);
    output_values_ += op.result_count();
  }
  for (const auto& result : op.results()) inputs_.erase(result.get());
  for (const Value* operand : op.operands()) {
    if (!roles_.IsLeaf(operand)) inputs_.insert(operand);
  }
}

}  // namespace lockstep::internal
