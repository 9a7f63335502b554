#include "client/programs/program_signature.h"

#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Shape>> TensorShapes(const std::vector<Type>& types,
                                                absl::string_view what) {
  std::vector<Shape> shapes;
  for (const Type& type : types) {
    if (!type.is_tensor()) {
      return absl::UnimplementedError(
          absl::StrCat(what, " ", shapes.size(), " of the program: expected a ",
                       "tensor, found ", type.ToString()));
    }
    shapes.push_back(type.shape());
  }
  return shapes;
}

// Errors of a whole module have no place.
absl::Status WithFile(const absl::Status& status, absl::string_view file_name) {
  return absl::StrContains(status.message(), absl::StrCat(file_name, ":"))
             ? status
             : Annotate(status, file_name);
}

}  // namespace

absl::StatusOr<ProgramSignature> SignatureOf(const Module& module,
                                             absl::string_view file_name) {
  // Before anything is done for each of them.
  const absl::Status count = CheckDeviceCount(module);
  if (!count.ok()) return Annotate(count, file_name);
  const std::unique_ptr<Module> local = CloneModule(module);
  absl::StatusOr<std::optional<ProgramLayout>> layout = PartitionModule(*local);
  if (!layout.ok()) return WithFile(layout.status(), file_name);
  ProgramSignature signature;
  signature.name = module.name();
  const absl::StatusOr<Function*> entry = local->EntryFunction();
  if (!entry.ok()) return Annotate(entry.status(), file_name);
  ASSIGN_OR_RETURN(signature.replicas, local->ReplicaCount());
  ASSIGN_OR_RETURN(signature.partitions, local->PartitionCount());
  ASSIGN_OR_RETURN(signature.arguments,
                   TensorShapes((*entry)->argument_types(), "argument"));
  ASSIGN_OR_RETURN(signature.results,
                   TensorShapes((*entry)->result_types(), "result"));
  if (signature.replicas == 1) signature.layout = *std::move(layout);
  return signature;
}

}  // namespace lockstep::internal
