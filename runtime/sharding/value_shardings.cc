#include "runtime/sharding/value_shardings.h"

#include <utility>

namespace lockstep::internal {

const TensorSharding* ValueShardings::Find(const Value* value) const {
  const auto found = shardings_.find(value);
  return found == shardings_.end() ? nullptr : &found->second;
}

void ValueShardings::Set(const Value* value, TensorSharding sharding) {
  shardings_.insert_or_assign(value, std::move(sharding));
}

}  // namespace lockstep::internal
