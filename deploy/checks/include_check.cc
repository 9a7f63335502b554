// Checks every #include of the sources against the table of packages.
//   include_check ROOT
// Prints "path:line: ..." per objection; exits with 1 when there are any.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "deploy/checks/include_rules.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<fs::path> Sources(const fs::path& root) {
  std::vector<fs::path> sources;
  for (const char* top :
       {"runtime", "coordinator", "proto", "client", "deploy/checks"}) {
    if (!fs::is_directory(root / top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      fs::path extension = entry.path().extension();
      if (extension == ".cc" || extension == ".h") {
        sources.push_back(entry.path());
      }
    }
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

int Main(const fs::path& root) {
  fs::path table = root / "deploy/layers/package_table.bzl";
  absl::StatusOr<IncludeRules> rules = IncludeRules::Parse(ReadFile(table));
  if (!rules.ok()) {
    std::cerr << table.string() << ": " << rules.status().message() << "\n";
    return 1;
  }
  std::vector<fs::path> sources = Sources(root);
  int count = 0;
  for (const fs::path& source : sources) {
    std::string path = fs::relative(source, root).string();
    for (const std::string& objection : rules->Check(path, ReadFile(source))) {
      std::cerr << objection << "\n";
      ++count;
    }
  }
  std::cout << sources.size() << " files, " << count << " objections\n";
  return count == 0 && !sources.empty() ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: include_check ROOT\n";
    return 2;
  }
  return lockstep::internal::Main(argv[1]);
}
