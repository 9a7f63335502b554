#ifndef LOCKSTEP_DEPLOY_CHECKS_INCLUDE_RULES_H_
#define LOCKSTEP_DEPLOY_CHECKS_INCLUDE_RULES_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// The table of packages (deploy/layers/package_table.bzl): which file may
// include what, and name which types. Rows about tests are for visibility and
// are not looked at here. Immutable once parsed.
class IncludeRules {
 public:
  // The table is what stands between the lines `PACKAGE_TABLE = """` and `"""`.
  // INVALID_ARGUMENT "line N: ..." for text that has none, or other rows.
  static absl::StatusOr<IncludeRules> Parse(absl::string_view text);

  // What is wrong with the includes and names of one file, as "path:line: ..."
  // lines.
  std::vector<std::string> Check(const std::string& path,
                                 absl::string_view source) const;

  // The package of a path: the longest row that is its prefix; "" for none.
  std::string PackageOf(absl::string_view path) const;

 private:
  struct External {
    std::vector<std::string> patterns;
    std::set<std::string> packages;
  };
  struct Named {
    std::set<std::string> names;
    std::set<std::string> packages;
  };

  absl::Status ParseLine(absl::string_view line);
  absl::Status AddRow(absl::string_view package, absl::string_view list);
  absl::Status AddExternal(absl::string_view patterns, absl::string_view list);
  absl::Status AddNamed(absl::string_view names, absl::string_view list);
  // "" when `package` may include `header`.
  std::string Objection(const std::string& package,
                        absl::string_view header) const;
  // Of the identifiers of a line, those that `package` may not name.
  std::vector<std::string> Unnamable(const std::string& package,
                                     absl::string_view line) const;

  // Package -> all it may include, itself too.
  std::map<std::string, std::set<std::string>> rows_;
  std::vector<External> externals_;
  std::vector<Named> named_;
};

// The header that a line includes, in either form; "" for other lines.
std::string IncludedHeader(absl::string_view line);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_DEPLOY_CHECKS_INCLUDE_RULES_H_
