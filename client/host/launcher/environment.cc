#include "client/host/launcher/environment.h"

#include <cstdlib>

namespace lockstep::internal {

std::optional<std::string> ProcessVariable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace lockstep::internal
