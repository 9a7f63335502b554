#include "runtime/passes/import/import_gspmd.h"

#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/shardings.h"
#include "runtime/passes/import/annotation_calls.h"
#include "runtime/passes/import/annotation_site.h"
#include "runtime/passes/import/frontend_attributes.h"
#include "runtime/passes/import/frontend_shardings.h"
#include "runtime/passes/import/gspmd_attributes.h"
#include "runtime/passes/import/manual_regions.h"
#include "runtime/passes/import/op_walk.h"
#include "runtime/passes/import/shape_change.h"
#include "runtime/passes/optimize/passes.h"

namespace lockstep::internal {
namespace {

bool HasForm(const AttributeMap& attributes) {
  return attributes.Find(kGspmdAttributeName) != nullptr ||
         HasFrontendAttribute(attributes, "xla.sdy.");
}

bool HasForm(const AnnotationSite& site) {
  if (HasForm(*site.attributes)) return true;
  if (site.op == nullptr) return false;
  const absl::string_view target = CustomCallTarget(*site.op);
  return target == "Sharding" || target == kFullToShard ||
         target == kShardToFull || absl::StartsWith(target, "xla.sdy.");
}

void AddSymbols(const Attribute& attribute, std::set<std::string>& symbols) {
  if (const auto* symbol = attribute.As<Attribute::Symbol>()) {
    symbols.insert(symbol->name);
  } else if (const auto* array = attribute.As<Attribute::Array>()) {
    for (const Attribute& element : array->elements) {
      AddSymbols(element, symbols);
    }
  }
}

// The functions that ops name.
std::set<std::string> NamedFunctions(const Module& module) {
  std::set<std::string> symbols;
  (void)ForEachOp(module, [&](const Op& op) {
    for (const auto& [name, attribute] : op.attributes().entries()) {
      AddSymbols(attribute, symbols);
    }
    return absl::OkStatus();
  });
  return symbols;
}

absl::Status Inline(Module& module) {
  const std::set<std::string> named = NamedFunctions(module);
  RETURN_IF_ERROR(InlineCalls().run(module));
  const std::set<std::string> still_named = NamedFunctions(module);
  module.EraseFunctions([&](const Function& function) {
    return named.contains(function.name()) &&
           !still_named.contains(function.name());
  });
  return absl::OkStatus();
}

absl::Status Import(Module& module) {
  if (!HasGspmdForms(module)) return absl::OkStatus();
  MoveCallAttributes(module);
  RETURN_IF_ERROR(Inline(module));
  ShapeChanges changes;
  ASSIGN_OR_RETURN(const bool has_meshes,
                   ReadFrontendShardings(module, changes));
  RETURN_IF_ERROR(has_meshes ? DropGspmdAttributes(module)
                             : ImportGspmdAttributes(module, changes));
  RETURN_IF_ERROR(VerifyShardings(module));
  RETURN_IF_ERROR(ReplaceAnnotationCalls(module));
  return BuildManualRegions(module, changes);
}

}  // namespace

bool HasGspmdForms(const Module& module) {
  if (HasForm(module.attributes())) return true;
  const absl::Status none = ForEachSite(module, [](const AnnotationSite& site) {
    return HasForm(site) ? absl::AlreadyExistsError("") : absl::OkStatus();
  });
  return !none.ok();
}

Pass ImportGspmd() { return {"import_gspmd", Import}; }

}  // namespace lockstep::internal
