#include "runtime/passes/import/constraint_chains.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/shardings.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kConstraint = "sdy.sharding_constraint";

// What says the sharding of a value already.
bool HasSharding(const Value& value) {
  if (const Op* op = value.defining_op()) {
    return op->name() == kConstraint || op->name() == "sdy.reshard" ||
           op->name() == "sdy.manual_computation" ||
           ResultSharding(*op, value.index()) != nullptr;
  }
  const Region& region = *value.region();
  if (const Function* function = region.parent_function()) {
    return ShardingOf(function->argument_attributes(value.index())) != nullptr;
  }
  const Op* op = region.parent_op();
  if (op->name() == "sdy.manual_computation") return true;
  return op->name() == "stablehlo.while" &&
         ResultSharding(*op, value.index()) != nullptr;
}

class ChainReader {
 public:
  explicit ChainReader(Function& function) {
    AddUsers(function.body());
    Rewrite(function.body());
  }

 private:
  void AddUsers(const Region& region) {
    for (const auto& op : region.ops()) {
      const size_t place = places_.size();
      places_[op.get()] = place;
      for (const Value* operand : op->operands()) {
        users_[operand].push_back(op.get());
      }
      for (const auto& inner : op->regions()) AddUsers(*inner);
    }
  }

  void Rewrite(const Region& region) {
    for (const auto& op : region.ops()) {
      for (const auto& inner : op->regions()) Rewrite(*inner);
      if (op->name() != kConstraint) continue;
      const Op* tail = TailOf(*op);
      if (tail != nullptr) ReadBehind(*op, *tail);
    }
  }

  // Null: the op is not the head of a chain, or others ask for a sharding too.
  const Op* TailOf(const Op& head) const {
    const Value& input = *head.operand(0);
    if (HasSharding(input) || CountDemands(input) > 1) return nullptr;
    const Op* tail = &head;
    for (const Op* next = OnlyConstraint(*tail); next != nullptr;
         next = OnlyConstraint(*next)) {
      tail = next;
    }
    const bool is_chain = tail != &head;
    return is_chain && CountDemands(*tail->result()) == 0 ? tail : nullptr;
  }

  // The constraint that is all that uses the result.
  const Op* OnlyConstraint(const Op& op) const {
    const auto found = users_.find(op.result());
    if (found == users_.end() || found->second.size() != 1) return nullptr;
    const Op* user = found->second[0];
    return user->name() == kConstraint ? user : nullptr;
  }

  // How many ops ask for a sharding of the value.
  int64_t CountDemands(const Value& value) const {
    const auto found = users_.find(&value);
    if (found == users_.end()) return 0;
    return std::count_if(found->second.begin(), found->second.end(),
                         [](const Op* user) {
                           return user->name() == kConstraint ||
                                  user->name() == "sdy.manual_computation";
                         });
  }

  void ReadBehind(const Op& head, const Op& tail) {
    Value* input = head.operand(0);
    std::vector<Op*> readers;
    for (Op* user : users_.at(input)) {
      if (user->parent() != tail.parent() || user->name() == "func.return" ||
          places_.at(user) <= places_.at(&tail)) {
        continue;
      }
      for (int i = 0; i < user->operand_count(); ++i) {
        if (user->operand(i) == input) user->set_operand(i, tail.result());
      }
      readers.push_back(user);
    }
    std::vector<Op*>& users = users_[tail.result()];
    users.insert(users.end(), readers.begin(), readers.end());
  }

  // An op for each of its operands.
  absl::flat_hash_map<const Value*, std::vector<Op*>> users_;
  // Of an op among those of its region, in order.
  absl::flat_hash_map<const Op*, size_t> places_;
};

}  // namespace

void ReadEndsOfConstraintChains(Function& function) { ChainReader{function}; }

}  // namespace lockstep::internal
