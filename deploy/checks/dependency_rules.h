#ifndef LOCKSTEP_DEPLOY_CHECKS_DEPENDENCY_RULES_H_
#define LOCKSTEP_DEPLOY_CHECKS_DEPENDENCY_RULES_H_

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "deploy/checks/build_targets.h"

namespace lockstep::internal {

// What targets must list: of whom they include headers, and nothing else.
//
//   - A header is included by its own target, and, when it is one of its hdrs,
//     by targets that have it in their deps.
//   - Of every target in deps a header is included. Excepted are targets
//   without
//     headers, which can only be meant to be linked, and those whose line in
//     the BUILD file says `# keep` and why.
//
// Headers that no target has, such as those of the system, are not looked at.
// Immutable once made.
class DependencyRules {
 public:
  // Returns the text of a file of the checkout, "" where it has none, as of
  // generated files.
  using ReadFile = std::function<std::string(const std::string& path)>;

  DependencyRules(std::vector<BuildTarget> targets, ReadFile read_file);

  // What is wrong with the dependencies of all targets, as "path:line: ..."
  // lines.
  std::vector<std::string> Check() const;

 private:
  // An #include of a header that other targets have.
  struct Include {
    std::string place;  // "path:line"
    std::string header;
  };

  std::vector<std::string> CheckTarget(const BuildTarget& target) const;
  std::vector<Include> IncludesOf(const BuildTarget& target) const;
  // "" for an include that `target` may have; otherwise what to do.
  std::string Objection(const BuildTarget& target,
                        const Include& include) const;
  // The deps of a target that its rule marks as kept.
  std::set<std::string> Kept(const BuildTarget& target) const;

  std::vector<BuildTarget> targets_;
  ReadFile read_file_;
  // Header -> labels of the targets that offer it, and of those that have it
  // among their sources.
  std::map<std::string, std::set<std::string>> offered_;
  std::map<std::string, std::set<std::string>> private_;
  std::set<std::string> without_headers_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_DEPLOY_CHECKS_DEPENDENCY_RULES_H_
