#include "runtime/passes/import/annotation_site.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/shardings.h"
#include "runtime/passes/import/op_walk.h"

namespace lockstep::internal {

void AnnotationSite::SetShardings(std::vector<TensorSharding> shardings) const {
  if (op == nullptr) {
    SetSharding(*attributes, std::move(shardings[0]));
  } else {
    SetResultShardings(*op, std::move(shardings));
  }
}

absl::Status AnnotationSite::Error(absl::string_view message,
                                   absl::StatusCode code) const {
  return ErrorAt(location, code, absl::StrCat(what, ": ", message));
}

absl::Status ForEachSite(
    const Module& module,
    absl::FunctionRef<absl::Status(AnnotationSite)> visit) {
  for (const auto& function : module.functions()) {
    const std::string of = absl::StrCat(" of @", function->name());
    const std::vector<Type> arguments = function->argument_types();
    for (size_t i = 0; i < arguments.size(); ++i) {
      RETURN_IF_ERROR(visit({&function->argument_attributes()[i],
                             nullptr,
                             function->location(),
                             absl::StrCat("argument ", i, of),
                             {arguments[i]}}));
    }
    for (size_t i = 0; i < function->result_types().size(); ++i) {
      RETURN_IF_ERROR(visit({&function->result_attributes()[i],
                             nullptr,
                             function->location(),
                             absl::StrCat("result ", i, of),
                             {function->result_types()[i]}}));
    }
    RETURN_IF_ERROR(ForEachOp(function->body(), [&](Op& op) {
      std::vector<Type> types;
      for (const auto& result : op.results()) types.push_back(result->type());
      return visit({&op.mutable_attributes(), &op, op.location(), op.name(),
                    std::move(types)});
    }));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
