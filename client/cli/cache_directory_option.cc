#include "client/cli/cache_directory_option.h"

namespace lockstep::internal {

CLI::Option* AddCacheDirectoryOption(CLI::App& app, std::string& directory) {
  return app
      .add_option("--cache-dir", directory,
                  "keep compiled code there, for later processes and for those "
                  "beside this one (default: nowhere)")
      ->type_name("DIR");
}

}  // namespace lockstep::internal
