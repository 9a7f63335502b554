#include "runtime/passes/op_key.h"

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {
namespace {

// Literals are told apart by their first bytes.
constexpr size_t kHashedBytes = 4096;

size_t HashOf(const Attribute& attribute) {
  const auto* elements = attribute.As<Attribute::Elements>();
  if (elements == nullptr) return attribute.value().index();
  const auto bytes = elements->values->byte_span();
  absl::string_view head(reinterpret_cast<const char*>(bytes.data()),
                         std::min(bytes.size(), kHashedBytes));
  // A splat equals its full form, so what repeats hashes as one element.
  const size_t element = ByteSize(elements->shape.element_type());
  if (head.size() > element &&
      head.substr(element) == head.substr(0, head.size() - element)) {
    head = head.substr(0, element);
  }
  return absl::HashOf(elements->shape, head);
}

// An order-independent sum: attributes may stand in any order.
size_t HashOf(const AttributeMap& attributes) {
  size_t sum = attributes.size();
  for (const auto& [name, value] : attributes.entries()) {
    sum += absl::HashOf(name, HashOf(value));
  }
  return sum;
}

class Comparison {
 public:
  bool Same(const Op& a, const Op& b) {
    if (a.name() != b.name() || a.operand_count() != b.operand_count() ||
        a.result_count() != b.result_count()) {
      return false;
    }
    for (int i = 0; i < a.operand_count(); ++i) {
      const auto inner = inner_.find(a.operand(i));
      const Value* expected =
          inner == inner_.end() ? a.operand(i) : inner->second;
      if (expected != b.operand(i)) return false;
    }
    for (int i = 0; i < a.result_count(); ++i) {
      if (a.result(i)->type() != b.result(i)->type()) return false;
    }
    return a.attributes() == b.attributes() && SameRegions(a, b);
  }

  bool SameRegions(const Op& a, const Op& b) {
    if (a.region_count() != b.region_count()) return false;
    for (int i = 0; i < a.region_count(); ++i) {
      if (!Same(a.region(i), b.region(i))) return false;
    }
    return true;
  }

 private:
  bool Same(const Region& a, const Region& b) {
    if (a.arguments().size() != b.arguments().size() ||
        a.ops().size() != b.ops().size()) {
      return false;
    }
    for (size_t i = 0; i < a.arguments().size(); ++i) {
      if (a.arguments()[i]->type() != b.arguments()[i]->type()) return false;
      inner_[a.arguments()[i].get()] = b.arguments()[i].get();
    }
    for (size_t i = 0; i < a.ops().size(); ++i) {
      const Op& x = *a.ops()[i];
      const Op& y = *b.ops()[i];
      if (!Same(x, y)) return false;
      for (int j = 0; j < x.result_count(); ++j) {
        inner_[x.result(j)] = y.result(j);
      }
    }
    return true;
  }

  // What is defined inside a's regions, to its counterpart in b's.
  absl::flat_hash_map<const Value*, const Value*> inner_;
};

}  // namespace

size_t ComputationHash(const Op& op) {
  size_t hash = absl::HashOf(op.name(), op.operands(), HashOf(op.attributes()),
                             op.result_count());
  if (op.result_count() > 0 && op.result()->type().is_tensor()) {
    hash = absl::HashOf(hash, op.result()->shape());
  }
  for (const auto& region : op.regions()) {
    hash = absl::HashOf(hash, region->ops().size());
    for (const auto& nested : region->ops()) {
      hash = absl::HashOf(hash, nested->name());
    }
  }
  return hash;
}

bool ComputesSame(const Op& a, const Op& b) { return Comparison().Same(a, b); }

bool RegionsComputeSame(const Op& a, const Op& b) {
  return Comparison().SameRegions(a, b);
}

}  // namespace lockstep::internal
