#include "runtime/backends/backend_registry.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

std::map<std::string, std::unique_ptr<Backend>, std::less<>>& Registry() {
  static auto* registry =
      new std::map<std::string, std::unique_ptr<Backend>, std::less<>>();
  return *registry;
}

}  // namespace

bool RegisterBackend(std::unique_ptr<Backend> backend) {
  std::string name = backend->name();
  const bool is_new =
      Registry().emplace(std::move(name), std::move(backend)).second;
  LOCKSTEP_CHECK(is_new);
  return is_new;
}

absl::StatusOr<Backend*> FindBackend(absl::string_view name) {
  auto it = Registry().find(std::string(name));
  if (it != Registry().end()) return it->second.get();
  return absl::NotFoundError(
      absl::StrCat("no backend \"", name,
                   "\"; there are: ", absl::StrJoin(BackendNames(), ", ")));
}

std::vector<std::string> BackendNames() {
  std::vector<std::string> names;
  for (const auto& [name, backend] : Registry()) names.push_back(name);
  return names;
}

}  // namespace lockstep::internal
