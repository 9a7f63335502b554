#ifndef LOCKSTEP_CLIENT_CLI_CACHE_DIRECTORY_OPTION_H_
#define LOCKSTEP_CLIENT_CLI_CACHE_DIRECTORY_OPTION_H_

#include <string>

#include "CLI/CLI.hpp"

namespace lockstep::internal {

// --cache-dir DIR. Commands that start workers pass it on; workers themselves
// also read LOCKSTEP_CACHE_DIR.
CLI::Option* AddCacheDirectoryOption(CLI::App& app, std::string& directory);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_CACHE_DIRECTORY_OPTION_H_
