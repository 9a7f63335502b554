#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_COMBINER_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_COMBINER_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// How partial results become one: an associative and commutative op of two
// scalars ("stablehlo.add") with an identity. A value type.
struct Combiner {
  std::string op;
  Literal identity;  // a scalar
};

// Of a body that is such an op of its two arguments, of results of `type`. None
// for other bodies and for types without the identity.
std::optional<Combiner> CombinerOf(const Region& body, ElementType type);

// Of its name. None for a type without the identity.
std::optional<Combiner> CombinerOf(absl::string_view op, ElementType type);

// The sum.
Combiner SumOf(ElementType type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_COMBINER_H_
