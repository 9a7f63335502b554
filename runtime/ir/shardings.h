#ifndef LOCKSTEP_RUNTIME_IR_SHARDINGS_H_
#define LOCKSTEP_RUNTIME_IR_SHARDINGS_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// Where a module keeps the shardings of its values: the attribute sdy.sharding
// of arguments and results of functions (one sharding) and of ops (one for
// each result).
inline constexpr absl::string_view kShardingAttributeName = "sdy.sharding";

// Of an argument or a result of a function; null if there is none.
const TensorSharding* ShardingOf(const AttributeMap& attributes);
void SetSharding(AttributeMap& attributes, TensorSharding sharding);

// Of a result of an op, of which it has `result` at least; null if there is
// none.
const TensorSharding* ResultSharding(const Op& op, int result);
// One for each result.
void SetResultShardings(Op& op, std::vector<TensorSharding> shardings);

// Whether `sharding` says something of a value of this type. INVALID_ARGUMENT
// without a place: VerifyTensorSharding, VerifyTokenSharding.
absl::Status VerifyShardingOf(const TensorSharding& sharding,
                              const MeshTable& meshes, const Type& type);

// All of them, with the place of the function or op that has one.
absl::Status VerifyShardings(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_SHARDINGS_H_
