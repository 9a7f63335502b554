#include "deploy/checks/include_rules.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr char kTableBegin[] = "PACKAGE_TABLE = \"\"\"";
constexpr char kTableEnd[] = "\"\"\"";

std::vector<std::string> Words(absl::string_view text) {
  return absl::StrSplit(text, ' ', absl::SkipWhitespace());
}

bool Matches(absl::string_view pattern, absl::string_view header) {
  if (absl::ConsumePrefix(&pattern, "*")) {
    return absl::EndsWith(header, pattern);
  }
  return absl::StartsWith(header, pattern);
}

bool IsIdentifierCharacter(char c) {
  return absl::ascii_isalnum(c) || c == '_';
}

// Of a line of C++, but for strings, and comments to its end.
std::vector<std::string> Identifiers(absl::string_view line) {
  std::vector<std::string> identifiers;
  size_t i = 0;
  while (i < line.size() && !absl::StartsWith(line.substr(i), "//")) {
    const size_t begin = i;
    if (line[i] == '"') {
      for (++i; i < line.size() && line[i] != '"'; ++i) i += line[i] == '\\';
      ++i;
    } else if (IsIdentifierCharacter(line[i])) {
      while (i < line.size() && IsIdentifierCharacter(line[i])) ++i;
      identifiers.emplace_back(line.substr(begin, i - begin));
    } else {
      ++i;
    }
  }
  return identifiers;
}

bool IsTest(absl::string_view path) {
  return absl::EndsWith(path, "_test.cc") ||
         absl::EndsWith(path, "_testing.h") || absl::StartsWith(path, "tests/");
}

}  // namespace

absl::StatusOr<IncludeRules> IncludeRules::Parse(absl::string_view text) {
  IncludeRules rules;
  int number = 0;
  bool in_table = false;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (in_table && line == kTableEnd) return rules;
    if (line == kTableBegin) {
      in_table = true;
      continue;
    }
    line = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (!in_table || line.empty()) continue;
    RETURN_IF_ERROR(
        Annotate(rules.ParseLine(line), absl::StrCat("line ", number)));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("line ", number, ": expected a table from ", kTableBegin,
                   " to ", kTableEnd));
}

absl::Status IncludeRules::ParseLine(absl::string_view line) {
  size_t colon = line.find(':');
  if (colon == absl::string_view::npos) {
    return absl::InvalidArgumentError("expected \"package: packages\"");
  }
  absl::string_view left = line.substr(0, colon);
  absl::string_view right = line.substr(colon + 1);
  if (absl::ConsumePrefix(&left, "external ")) return AddExternal(left, right);
  if (absl::ConsumePrefix(&left, "name ")) return AddNamed(left, right);
  if (absl::StartsWith(left, "tests ")) return absl::OkStatus();
  return AddRow(left, right);
}

absl::Status IncludeRules::AddRow(absl::string_view package,
                                  absl::string_view list) {
  std::set<std::string> may_include = {std::string(package)};
  for (const std::string& other : Words(list)) {
    auto row = rows_.find(other);
    if (row == rows_.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat(package, " names ", other, ", which has no row above"));
    }
    may_include.insert(row->second.begin(), row->second.end());
  }
  if (!rows_.emplace(package, may_include).second) {
    return absl::InvalidArgumentError(
        absl::StrCat(package, " has a row already"));
  }
  return absl::OkStatus();
}

absl::Status IncludeRules::AddExternal(absl::string_view patterns,
                                       absl::string_view list) {
  External external;
  external.patterns = Words(patterns);
  for (const std::string& package : Words(list)) {
    external.packages.insert(package);
  }
  externals_.push_back(std::move(external));
  return absl::OkStatus();
}

absl::Status IncludeRules::AddNamed(absl::string_view names,
                                    absl::string_view list) {
  Named named;
  for (const std::string& name : Words(names)) named.names.insert(name);
  for (const std::string& package : Words(list)) {
    if (!rows_.contains(package)) {
      return absl::InvalidArgumentError(absl::StrCat(
          names, " may be named by ", package, ", which has no row above"));
    }
    named.packages.insert(package);
  }
  named_.push_back(std::move(named));
  return absl::OkStatus();
}

std::string IncludeRules::PackageOf(absl::string_view path) const {
  while (true) {
    size_t slash = path.rfind('/');
    if (slash == absl::string_view::npos) return "";
    path = path.substr(0, slash);
    if (rows_.contains(std::string(path))) return std::string(path);
  }
}

std::string IncludeRules::Objection(const std::string& package,
                                    absl::string_view header) const {
  for (const External& external : externals_) {
    for (const std::string& pattern : external.patterns) {
      if (!Matches(pattern, header)) continue;
      for (const std::string& allowed : external.packages) {
        if (package == allowed || absl::StartsWith(package, allowed + "/")) {
          return "";
        }
      }
      return absl::StrCat("is not for ", package);
    }
  }
  std::string other = PackageOf(header);
  if (other.empty() || rows_.at(package).contains(other)) return "";
  return absl::StrCat(package, " may not include ", other);
}

std::vector<std::string> IncludeRules::Unnamable(const std::string& package,
                                                 absl::string_view line) const {
  std::vector<std::string> unnamable;
  for (const std::string& name : Identifiers(line)) {
    for (const Named& named : named_) {
      if (named.names.contains(name) && !named.packages.contains(package)) {
        unnamable.push_back(name);
      }
    }
  }
  return unnamable;
}

std::vector<std::string> IncludeRules::Check(const std::string& path,
                                             absl::string_view source) const {
  std::vector<std::string> objections;
  if (IsTest(path)) return objections;
  std::string package = PackageOf(path);
  if (package.empty()) {
    objections.push_back(absl::StrCat(path, ":1: its package has no row"));
    return objections;
  }
  int number = 0;
  for (absl::string_view line : absl::StrSplit(source, '\n')) {
    ++number;
    std::string header = IncludedHeader(line);
    if (header.empty()) {
      for (const std::string& name : Unnamable(package, line)) {
        objections.push_back(absl::StrCat(path, ":", number, ": ", package,
                                          " may not name ", name));
      }
      continue;
    }
    std::string objection = Objection(package, header);
    if (objection.empty()) continue;
    objections.push_back(
        absl::StrCat(path, ":", number, ": ", header, ": ", objection));
  }
  return objections;
}

std::string IncludedHeader(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "#")) return "";
  line = absl::StripLeadingAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "include")) return "";
  line = absl::StripAsciiWhitespace(line);
  if (line.size() < 2 || (line[0] != '"' && line[0] != '<')) return "";
  size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
  if (end == absl::string_view::npos) return "";
  return std::string(line.substr(1, end - 1));
}

}  // namespace lockstep::internal
