#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_ANNOTATION_SITE_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_ANNOTATION_SITE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// Where a program may say shardings: an argument or a result of a function, or
// the results of an op. A value type; borrows the module.
struct AnnotationSite {
  AttributeMap* attributes;
  Op* op;  // null: of a function
  Location location;
  std::string what;  // "argument 0 of @main", "stablehlo.add"
  std::vector<Type> types;

  // How many shardings there are: an op without results may have one.
  size_t sharding_count() const { return types.empty() ? 1 : types.size(); }
  // As sdy.sharding; as many as sharding_count() says.
  void SetShardings(std::vector<TensorSharding> shardings) const;

  // "m.mlir:12:8: stablehlo.add: message".
  absl::Status Error(
      absl::string_view message,
      absl::StatusCode code = absl::StatusCode::kInvalidArgument) const;
};

// All of them, those of a function before its ops. Stops at the first error.
absl::Status ForEachSite(const Module& module,
                         absl::FunctionRef<absl::Status(AnnotationSite)> visit);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_ANNOTATION_SITE_H_
