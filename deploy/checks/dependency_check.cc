// Checks the deps of all C++ targets against the #includes of their files.
//   dependency_check ROOT QUERY
// QUERY is a file with the targets: bazel query --output=xml //...
// Prints "path:line: ..." per objection; exits with 1 when there are any.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "deploy/checks/build_targets.h"
#include "deploy/checks/dependency_rules.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

int Main(const fs::path& root, const fs::path& query) {
  std::vector<BuildTarget> targets = ParseBuildTargets(ReadFile(query));
  size_t count = targets.size();
  DependencyRules rules(std::move(targets), [&](const std::string& path) {
    return ReadFile(root / path);
  });
  std::vector<std::string> objections = rules.Check();
  for (const std::string& objection : objections) {
    std::cerr << objection << "\n";
  }
  std::cout << count << " targets, " << objections.size() << " objections\n";
  return objections.empty() && count > 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: dependency_check ROOT QUERY\n";
    return 2;
  }
  return lockstep::internal::Main(argv[1], argv[2]);
}
