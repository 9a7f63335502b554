#ifndef LOCKSTEP_CLIENT_HOST_LAUNCHER_ENVIRONMENT_H_
#define LOCKSTEP_CLIENT_HOST_LAUNCHER_ENVIRONMENT_H_

#include <functional>
#include <optional>
#include <string>

namespace lockstep::internal {

// The value of an environment variable; none when it is not set or empty.
using Environment =
    std::function<std::optional<std::string>(const std::string& name)>;

// That of this process.
std::optional<std::string> ProcessVariable(const std::string& name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_LAUNCHER_ENVIRONMENT_H_
