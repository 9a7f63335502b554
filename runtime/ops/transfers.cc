#include "runtime/ops/transfers.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/collectives/channel_handle.h"

namespace lockstep::internal {
namespace {

bool IsSend(const Op& op) { return op.name() == "stablehlo.send"; }

absl::StatusOr<bool> IsBetweenDevices(const Op& op) {
  if (!IsSend(op) && op.name() != "stablehlo.recv") return false;
  ASSIGN_OR_RETURN(const bool is_with_host, IsHostTransfer(op));
  return !is_with_host;
}

// "stablehlo.send at m.mlir:3:8".
std::string PlaceText(const Op& op) {
  return absl::StrCat(op.name(), " at ", op.location().ToString());
}

// Of the tensors, without the token.
std::string TypesText(const Op& op) {
  std::vector<std::string> types;
  if (IsSend(op)) {
    for (int i = 0; i + 1 < op.operand_count(); ++i) {
      types.push_back(op.operand(i)->type().ToString());
    }
  } else {
    for (int i = 0; i + 1 < op.result_count(); ++i) {
      types.push_back(op.result(i)->type().ToString());
    }
  }
  return absl::StrCat("(", absl::StrJoin(types, ", "), ")");
}

absl::Status CheckMatch(const Op& send, const Op& recv) {
  ASSIGN_OR_RETURN(const CollectiveSpec sent, CheckedTransferSpec(send));
  ASSIGN_OR_RETURN(const CollectiveSpec received, CheckedTransferSpec(recv));
  if (sent.pairs != received.pairs) {
    return recv.Error(absl::StrCat("source_target_pairs: expected ",
                                   PairsText(sent), ", as ", PlaceText(send),
                                   ", found ", PairsText(received)));
  }
  if (TypesText(send) != TypesText(recv)) {
    return recv.Error(absl::StrCat("expected ", TypesText(send), ", as ",
                                   PlaceText(send), ", found ",
                                   TypesText(recv)));
  }
  return absl::OkStatus();
}

// The sends and recvs of one channel in one region that wait for a partner, all
// of the same kind.
using Waiting = std::deque<const Op*>;

// The partner of each, for those in one region.
struct Matches {
  absl::flat_hash_map<const Op*, const Op*> send_of;
  absl::flat_hash_map<const Op*, const Op*> recv_of;
  std::map<int64_t, Waiting> waiting;  // by channel
};

absl::StatusOr<Matches> MatchesIn(const Region& region) {
  Matches matches;
  for (const auto& op : region.ops()) {
    ASSIGN_OR_RETURN(const bool is_transfer, IsBetweenDevices(*op));
    if (!is_transfer) continue;
    ASSIGN_OR_RETURN(const ChannelHandle handle, ChannelHandleOf(*op));
    Waiting& waiting = matches.waiting[handle.id];
    if (waiting.empty() || IsSend(*waiting.front()) == IsSend(*op)) {
      waiting.push_back(op.get());
      continue;
    }
    const Op& send = IsSend(*op) ? *op : *waiting.front();
    const Op& recv = IsSend(*op) ? *waiting.front() : *op;
    RETURN_IF_ERROR(CheckMatch(send, recv));
    matches.send_of[&recv] = &send;
    matches.recv_of[&send] = &recv;
    waiting.pop_front();
  }
  return matches;
}

// The order in which ops of a region can run, as near to the present one as it
// can be.
class RunOrder {
 public:
  RunOrder(const Region& region, const Matches& matches)
      : region_(region), matches_(matches) {}

  // Indices of ops.
  absl::StatusOr<std::vector<size_t>> Find() {
    const size_t count = region_.ops().size();
    for (size_t i = 0; i < count; ++i) index_[region_.ops()[i].get()] = i;
    states_.assign(count, State::kOpen);
    for (size_t i = 0; i < count; ++i) RETURN_IF_ERROR(Visit(i));
    return std::move(order_);
  }

 private:
  enum class State { kOpen, kWaiting, kDone };
  struct Visited {
    size_t op;
    std::vector<size_t> needed;  // the next one last
  };

  // Those of this region without which the op cannot run.
  std::vector<size_t> NeededBy(const Op& op) const {
    std::vector<size_t> needed;
    const auto sent = matches_.send_of.find(&op);
    if (sent != matches_.send_of.end()) {
      needed.push_back(index_.at(sent->second));
    }
    AddOperands(op, needed);
    absl::c_sort(needed, std::greater<>());
    return needed;
  }
  void AddOperands(const Op& op, std::vector<size_t>& needed) const {
    for (const Value* operand : op.operands()) {
      const auto found = index_.find(operand->defining_op());
      if (found != index_.end()) needed.push_back(found->second);
    }
    for (const auto& inner : op.regions()) {
      for (const auto& nested : inner->ops()) AddOperands(*nested, needed);
    }
  }

  absl::Status Visit(size_t first) {
    if (states_[first] == State::kDone) return absl::OkStatus();
    std::vector<Visited> path;
    Enter(first, path);
    while (!path.empty()) {
      Visited& last = path.back();
      if (last.needed.empty()) {
        states_[last.op] = State::kDone;
        order_.push_back(last.op);
        path.pop_back();
        continue;
      }
      const size_t next = last.needed.back();
      last.needed.pop_back();
      if (states_[next] == State::kWaiting) return CycleError(path, next);
      if (states_[next] == State::kOpen) Enter(next, path);
    }
    return absl::OkStatus();
  }

  void Enter(size_t op, std::vector<Visited>& path) {
    states_[op] = State::kWaiting;
    path.push_back({op, NeededBy(*region_.ops()[op])});
  }

  absl::Status CycleError(const std::vector<Visited>& path, size_t first) {
    std::vector<std::string> places;
    const auto begin = absl::c_find_if(
        path, [&](const Visited& visited) { return visited.op == first; });
    for (auto visited = begin; visited != path.end(); ++visited) {
      places.push_back(PlaceText(*region_.ops()[visited->op]));
    }
    return region_.ops()[first]->Error(
        absl::StrCat("waits for itself: ", absl::StrJoin(places, " needs "),
                     " needs the first"));
  }

  const Region& region_;
  const Matches& matches_;
  absl::flat_hash_map<const Op*, size_t> index_;
  std::vector<State> states_;
  std::vector<size_t> order_;
};

std::unique_ptr<Op> MakePermute(const Op& recv, Value* sent, int64_t channel,
                                GroupMode mode) {
  OpState state;
  state.name = "stablehlo.collective_permute";
  state.def = OpRegistry::Get().Find(state.name);
  state.location = recv.location();
  state.operands = {sent};
  state.result_types = {sent->type()};
  state.attributes.Set("source_target_pairs",
                       *recv.attribute("source_target_pairs"));
  if (mode == GroupMode::kCrossPartition) {
    Attribute::Struct handle{"channel_handle", {}};
    handle.fields.Append("handle",
                         Attribute::I64(std::max<int64_t>(channel, 1)));
    handle.fields.Append("type", Attribute::I64(1));
    state.attributes.Set("channel_handle", std::move(handle));
  }
  return std::make_unique<Op>(std::move(state));
}

class TransferReplacer {
 public:
  absl::Status Run(Region& region) {
    for (const auto& op : region.ops()) {
      for (const auto& inner : op->regions()) RETURN_IF_ERROR(Run(*inner));
    }
    ASSIGN_OR_RETURN(const Matches matches, MatchesIn(region));
    for (const auto& [channel, waiting] : matches.waiting) {
      alone_[channel].insert(alone_[channel].end(), waiting.begin(),
                             waiting.end());
    }
    if (matches.send_of.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const std::vector<size_t> order,
                     RunOrder(region, matches).Find());
    return Rebuild(order, matches, region);
  }

  // Of those that have found no partner.
  absl::Status CheckNoneAlone() const {
    for (const auto& [channel, waiting] : alone_) {
      if (waiting.empty()) continue;
      const Op& op = *waiting.front();
      for (const Op* other : waiting) {
        if (IsSend(*other) == IsSend(op)) continue;
        return op.Unimplemented(absl::StrCat(
            "channel ", channel,
            ": a transfer to another region: ", PlaceText(*other)));
      }
      return op.Error(absl::StrCat("channel ", channel, ": expected a ",
                                   IsSend(op) ? "recv" : "send",
                                   " that matches, found none"));
    }
    return absl::OkStatus();
  }

  bool has_replaced_any() const { return !replaced_.empty(); }

  // What stands for the values of ops that are gone.
  void MapOperands(Region& region) const {
    for (const auto& op : region.ops()) {
      for (int i = 0; i < op->operand_count(); ++i) {
        while (map_.Contains(op->operand(i))) {
          op->set_operand(i, map_.Find(op->operand(i)));
        }
      }
      for (const auto& inner : op->regions()) MapOperands(*inner);
    }
  }

 private:
  absl::Status Rebuild(const std::vector<size_t>& order, const Matches& matches,
                       Region& region) {
    std::vector<std::unique_ptr<Op>> ops =
        std::exchange(region.mutable_ops(), {});
    for (size_t i : order) {
      const auto recv = matches.recv_of.find(ops[i].get());
      const bool is_send = recv != matches.recv_of.end();
      if (!is_send && !matches.send_of.contains(ops[i].get())) {
        region.Append(std::move(ops[i]));
        continue;
      }
      replaced_.push_back(std::move(ops[i]));
      Op& op = *replaced_.back();
      if (is_send) RETURN_IF_ERROR(Transfer(op, *recv->second, region));
      map_.Set(op.results().back().get(), map_.Find(op.operands().back()));
    }
    return absl::OkStatus();
  }

  // Where the send stands: what comes before the recv needs not wait.
  absl::Status Transfer(const Op& send, const Op& recv, Region& region) {
    ASSIGN_OR_RETURN(const CollectiveSpec spec, CheckedTransferSpec(recv));
    ASSIGN_OR_RETURN(const ChannelHandle handle, ChannelHandleOf(recv));
    for (int i = 0; i + 1 < recv.result_count(); ++i) {
      const Op* permute = region.Append(
          MakePermute(recv, map_.Find(send.operand(i)), handle.id, spec.mode));
      map_.Set(recv.result(i), permute->result());
    }
    return absl::OkStatus();
  }

  std::map<int64_t, std::vector<const Op*>> alone_;  // by channel
  ValueMap map_;
  std::vector<std::unique_ptr<Op>> replaced_;
};

// Erases what only makes tokens that nothing uses. From the last op on: what
// uses a value stands behind it. `used`: by ops that stay, so far.
void EraseUnusedTokens(Region& region,
                       absl::flat_hash_set<const Value*>& used) {
  std::vector<std::unique_ptr<Op>>& ops = region.mutable_ops();
  for (auto it = ops.rbegin(); it != ops.rend(); ++it) {
    const Op& op = **it;
    if ((op.name() == "stablehlo.create_token" ||
         op.name() == "stablehlo.after_all") &&
        !used.contains(op.result())) {
      it->reset();
      continue;
    }
    used.insert(op.operands().begin(), op.operands().end());
    for (const auto& inner : op.regions()) EraseUnusedTokens(*inner, used);
  }
  std::erase(ops, nullptr);
}

}  // namespace

absl::Status ReplaceTransfers(Module& module) {
  TransferReplacer replacer;
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(replacer.Run(function->body()));
  }
  RETURN_IF_ERROR(replacer.CheckNoneAlone());
  if (!replacer.has_replaced_any()) return absl::OkStatus();
  for (const auto& function : module.functions()) {
    replacer.MapOperands(function->body());
    absl::flat_hash_set<const Value*> used;
    EraseUnusedTokens(function->body(), used);
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
