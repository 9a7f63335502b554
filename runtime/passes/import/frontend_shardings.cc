#include "runtime/passes/import/frontend_shardings.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/passes/import/annotation_site.h"
#include "runtime/passes/import/frontend_attributes.h"
#include "runtime/passes/import/op_walk.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kMeshes = "xla.sdy.meshes";
constexpr absl::string_view kSharding = "xla.sdy.sharding";
constexpr absl::string_view kShardingRule = "xla.sdy.sharding_rule";
constexpr absl::string_view kInShardings = "xla.sdy.in_shardings";
constexpr absl::string_view kOutShardings = "xla.sdy.out_shardings";
constexpr absl::string_view kManualAxes = "xla.sdy.manual_axes";

void CopyIfMissing(absl::string_view name, const Op& from, Op& to) {
  const Attribute* found = FindFrontendAttribute(from.attributes(), name);
  if (found == nullptr ||
      FindFrontendAttribute(to.attributes(), name) != nullptr) {
    return;
  }
  SetFrontendAttribute(to.mutable_attributes(), name, *found);
}

// The value of a frontend attribute, parsed; none if it is missing.
template <typename T>
absl::StatusOr<std::optional<T>> Take(
    const AnnotationSite& site, absl::string_view name,
    absl::StatusOr<T> (*parse)(absl::string_view)) {
  absl::StatusOr<std::optional<std::string>> text =
      TakeFrontendText(*site.attributes, name);
  if (!text.ok()) return site.Error(text.status().message());
  if (!text->has_value()) return std::nullopt;
  absl::StatusOr<T> value = parse(**text);
  if (value.ok()) return *std::move(value);
  return site.Error(absl::StrCat(name, ": ", value.status().message()));
}

// "#sdy<manual_axes{\"a\"}>", "#sdy.manual_axes<\"a\">".
absl::StatusOr<std::vector<std::string>> ParseManualAxes(
    absl::string_view text) {
  std::string list(text);
  if (absl::ConsumePrefix(&text, "#sdy<manual_axes") &&
      absl::ConsumeSuffix(&text, ">")) {
    list = std::string(text);
  } else if (absl::ConsumePrefix(&text, "#sdy.manual_axes<") &&
             absl::ConsumeSuffix(&text, ">")) {
    list = absl::StrCat("{", text, "}");
  }
  ASSIGN_OR_RETURN(const std::vector<AxisRef> axes, ParseSdyAxisRefs(list));
  std::vector<std::string> names;
  for (const AxisRef& axis : axes) names.push_back(axis.name());
  return names;
}

// Up to the first comma outside of brackets, of which it removes what it
// returns and the comma.
absl::string_view TakeEntry(absl::string_view& text) {
  int depth = 0;
  size_t end = 0;
  for (; end < text.size() && (depth > 0 || text[end] != ','); ++end) {
    depth += text[end] == '<' || text[end] == '[';
    depth -= text[end] == '>' || text[end] == ']';
  }
  const absl::string_view entry = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return absl::StripAsciiWhitespace(entry);
}

// "mesh = #sdy.mesh<[\"a\"=2]>".
absl::StatusOr<MeshTable::Entry> ParseMesh(absl::string_view entry) {
  const size_t equals = entry.find('=');
  if (equals == absl::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected 'name = #sdy.mesh<..>', found '", entry, "'"));
  }
  absl::string_view name = absl::StripAsciiWhitespace(entry.substr(0, equals));
  if (absl::ConsumePrefix(&name, "\"")) absl::ConsumeSuffix(&name, "\"");
  absl::StatusOr<ShardingMesh> mesh =
      ParseSdyMesh(absl::StripAsciiWhitespace(entry.substr(equals + 1)));
  RETURN_IF_ERROR(Annotate(mesh.status(), name));
  return MeshTable::Entry(std::string(name), *std::move(mesh));
}

// "{mesh = #sdy.mesh<[\"a\"=2]>, other = #sdy.mesh<..>}".
absl::Status AddMeshes(absl::string_view text, MeshTable& meshes) {
  text = absl::StripAsciiWhitespace(text);
  if (!absl::ConsumePrefix(&text, "{") || !absl::ConsumeSuffix(&text, "}")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "column 1: expected meshes in braces, found '", text, "'"));
  }
  while (!absl::StripAsciiWhitespace(text).empty()) {
    ASSIGN_OR_RETURN(MeshTable::Entry entry, ParseMesh(TakeEntry(text)));
    if (!meshes.empty()) {
      const auto declared = meshes.Find(entry.first);
      if (declared.ok() && **declared == entry.second) continue;
    }
    RETURN_IF_ERROR(meshes.Add(std::move(entry.first), entry.second));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> ReadMeshes(Module& module) {
  ASSIGN_OR_RETURN(const std::optional<std::string> text,
                   TakeFrontendText(module.attributes(), kMeshes));
  if (!text.has_value()) return false;
  RETURN_IF_ERROR(Annotate(AddMeshes(*text, module.meshes()), kMeshes));
  return true;
}

absl::Status ReadFunctionValue(const AnnotationSite& site) {
  ASSIGN_OR_RETURN(std::optional<TensorSharding> sharding,
                   Take(site, kSharding, ParseSdySharding));
  if (sharding.has_value()) site.SetShardings({*std::move(sharding)});
  return absl::OkStatus();
}

absl::Status ReadOp(const AnnotationSite& site) {
  ASSIGN_OR_RETURN(auto shardings,
                   Take(site, kSharding, ParseSdyShardingPerValue));
  if (shardings.has_value()) site.SetShardings(*std::move(shardings));
  absl::StatusOr<std::optional<std::string>> rule =
      TakeFrontendText(*site.attributes, kShardingRule);
  if (!rule.ok()) return site.Error(rule.status().message());
  if (rule->has_value()) {
    site.attributes->Set("sdy.sharding_rule", Attribute::Opaque{**rule});
  }
  return absl::OkStatus();
}

absl::Status ReadChange(const AnnotationSite& site, bool is_to_shards,
                        ShapeChanges& changes) {
  const absl::string_view name = is_to_shards ? kInShardings : kOutShardings;
  ASSIGN_OR_RETURN(auto shardings, Take(site, name, ParseSdyShardingPerValue));
  ASSIGN_OR_RETURN(auto axes, Take(site, kManualAxes, ParseManualAxes));
  const size_t count =
      is_to_shards ? site.op->operands().size() : site.op->results().size();
  if (!shardings.has_value() || !axes.has_value()) {
    return site.Error(
        absl::StrCat("expected the attributes ", name, " and ", kManualAxes));
  }
  if (shardings->size() != count ||
      site.op->operands().size() != site.op->results().size()) {
    return site.Error(absl::StrCat(
        name,
        ": expected a sharding, an operand and a result for each value, "
        "found ",
        shardings->size(), ", ", site.op->operands().size(), " and ",
        site.op->results().size()));
  }
  changes[site.op] = {is_to_shards, *std::move(shardings), std::move(axes)};
  return absl::OkStatus();
}

}  // namespace

void MoveCallAttributes(const Module& module) {
  (void)ForEachOp(module, [](Op& op) {
    for (Value* operand : op.operands()) {
      Op* from = operand->defining_op();
      if (from == nullptr) continue;
      if (op.name() == "func.call" &&
          CustomCallTarget(*from) == kGlobalToLocal) {
        CopyIfMissing(kInShardings, op, *from);
        CopyIfMissing(kManualAxes, op, *from);
      } else if (CustomCallTarget(op) == kLocalToGlobal &&
                 from->name() == "func.call") {
        CopyIfMissing(kOutShardings, *from, op);
        CopyIfMissing(kManualAxes, *from, op);
      }
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<bool> ReadFrontendShardings(Module& module,
                                           ShapeChanges& changes) {
  ASSIGN_OR_RETURN(const bool has_meshes, ReadMeshes(module));
  RETURN_IF_ERROR(ForEachSite(module, [&](const AnnotationSite& site) {
    if (site.op == nullptr) return ReadFunctionValue(site);
    const absl::string_view target = CustomCallTarget(*site.op);
    if (target == kGlobalToLocal) return ReadChange(site, true, changes);
    if (target == kLocalToGlobal) return ReadChange(site, false, changes);
    return ReadOp(site);
  }));
  return has_meshes;
}

}  // namespace lockstep::internal
