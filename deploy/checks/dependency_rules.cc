#include "deploy/checks/dependency_rules.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "deploy/checks/include_rules.h"

namespace lockstep::internal {
namespace {

bool HasAnyOf(const std::set<std::string>& set,
              const std::set<std::string>& others) {
  return std::any_of(
      others.begin(), others.end(),
      [&](const std::string& other) { return set.contains(other); });
}

// The labels as `target` would write them.
std::string Written(const std::set<std::string>& labels,
                    const BuildTarget& target) {
  std::string package = PackageOfLabel(target.label);
  return absl::StrJoin(labels, " or ",
                       [&](std::string* out, const std::string& label) {
                         absl::StrAppend(out, ShortLabel(label, package));
                       });
}

std::string PlaceOf(const BuildTarget& target) {
  return absl::StrCat(target.build_file, ":", target.line, ": ", target.label);
}

}  // namespace

DependencyRules::DependencyRules(std::vector<BuildTarget> targets,
                                 ReadFile read_file)
    : targets_(std::move(targets)), read_file_(std::move(read_file)) {
  for (const BuildTarget& target : targets_) {
    for (const std::string& header : target.headers) {
      offered_[header].insert(target.label);
    }
    for (const std::string& source : target.sources) {
      private_[source].insert(target.label);
    }
    if (target.headers.empty()) without_headers_.insert(target.label);
  }
}

std::vector<std::string> DependencyRules::Check() const {
  std::vector<std::string> objections;
  for (const BuildTarget& target : targets_) {
    std::vector<std::string> more = CheckTarget(target);
    objections.insert(objections.end(), more.begin(), more.end());
  }
  std::sort(objections.begin(), objections.end());
  return objections;
}

std::vector<std::string> DependencyRules::CheckTarget(
    const BuildTarget& target) const {
  std::vector<std::string> objections;
  std::set<std::string> used;
  for (const Include& include : IncludesOf(target)) {
    std::string objection = Objection(target, include);
    auto owners = offered_.find(include.header);
    bool is_first =
        owners == offered_.end() ||
        !std::includes(used.begin(), used.end(), owners->second.begin(),
                       owners->second.end());
    if (!objection.empty() && is_first) objections.push_back(objection);
    if (owners != offered_.end()) {
      used.insert(owners->second.begin(), owners->second.end());
    }
  }
  std::set<std::string> kept = Kept(target);
  bool has_files = !target.sources.empty() || !target.headers.empty();
  for (const std::string& dep : target.deps) {
    bool is_used = used.contains(dep) || without_headers_.contains(dep);
    if (is_used && kept.contains(dep)) {
      objections.push_back(absl::StrCat(PlaceOf(target), ": ",
                                        Written({dep}, target),
                                        " needs no \"# keep\""));
    }
    if (is_used || kept.contains(dep) || !has_files) continue;
    objections.push_back(absl::StrCat(
        PlaceOf(target), ": remove ", Written({dep}, target),
        " from deps, no header of which is included, or say \"# keep: why\""));
  }
  return objections;
}

std::vector<DependencyRules::Include> DependencyRules::IncludesOf(
    const BuildTarget& target) const {
  std::vector<Include> includes;
  std::set<std::string> files = target.sources;
  files.insert(target.headers.begin(), target.headers.end());
  for (const std::string& file : files) {
    int number = 0;
    for (absl::string_view line : absl::StrSplit(read_file_(file), '\n')) {
      ++number;
      std::string header = IncludedHeader(line);
      if (header.empty() || files.contains(header)) continue;
      includes.push_back({absl::StrCat(file, ":", number), header});
    }
  }
  return includes;
}

std::string DependencyRules::Objection(const BuildTarget& target,
                                       const Include& include) const {
  auto owners = offered_.find(include.header);
  if (owners != offered_.end()) {
    if (HasAnyOf(target.deps, owners->second)) return "";
    return absl::StrCat(PlaceOf(target), ": add ",
                        Written(owners->second, target), " to deps, for ",
                        include.header, " in ", include.place);
  }
  auto holders = private_.find(include.header);
  if (holders == private_.end()) return "";
  return absl::StrCat(include.place, ": ", include.header, " is private to ",
                      Written(holders->second, target));
}

std::set<std::string> DependencyRules::Kept(const BuildTarget& target) const {
  std::set<std::string> kept;
  std::string package = PackageOfLabel(target.label);
  int number = 0;
  std::string text = read_file_(target.build_file);
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (++number < target.line) continue;
    if (line == ")") break;
    std::vector<absl::string_view> quoted = absl::StrSplit(line, '"');
    if (quoted.size() == 3 && absl::StrContains(quoted[2], "# keep")) {
      kept.insert(FullLabel(quoted[1], package));
    }
  }
  return kept;
}

}  // namespace lockstep::internal
