#include "client/cli/command_line.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/cli/exit_status.h"
#include "client/cli/suggestion.h"
#include "runtime/base/status.h"
#include "runtime/base/version.h"

namespace lockstep::internal {
namespace {

constexpr char kDescription[] =
    "lockstep runs one StableHLO program on every device of every host.";
constexpr char kFooter[] =
    "Example:\n"
    "  lockstep up --hosts 2 --devices-per-host 4\n"
    "  lockstep status\n"
    "  lockstep down\n\n"
    "Exit codes: 0 success, 1 the program or the cluster failed, 2 wrong "
    "usage,\n3 no cluster to be reached.";

int ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return kExitOk;
  if (const std::optional<int> code = ChosenExitCode(status)) return *code;
  return absl::IsUnavailable(status) ? kExitUnavailable : kExitFailure;
}

std::string DidYouMean(absl::string_view word,
                       const std::vector<std::string>& known) {
  std::string nearest = NearestWord(word, known);
  return nearest.empty() ? "" : absl::StrCat("; did you mean ", nearest, "?");
}

// The command that was given after `app`, or after that one, and so on; `name`
// gets their names too.
const CLI::App& InnermostGiven(const CLI::App& app, std::string& name) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  if (given.empty()) return app;
  absl::StrAppend(&name, " ", given[0]->get_name());
  return InnermostGiven(*given[0], name);
}

// The commands that may follow the command.
std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* inner : app.get_subcommands(nullptr)) {
    names.push_back(inner->get_name());
  }
  return names;
}

// Every "--name" of the command.
std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

class CommandLine {
 public:
  CommandLine(absl::Span<const Subcommand> commands, std::ostream& out,
              std::ostream& err)
      : commands_(commands), out_(out), err_(err), app_(kDescription) {
    app_.name("lockstep");
    app_.footer(kFooter);
    app_.set_version_flag("--version", std::string(kVersion));
    app_.require_subcommand(1);
    for (const Subcommand& command : commands) {
      CLI::App* app = app_.add_subcommand(command.name, command.summary);
      app->footer(absl::StrCat("Example:\n  ", command.example));
      runs_.push_back(command.define(*app));
      apps_.push_back(app);
      names_.push_back(command.name);
    }
  }

  int Run(int argc, const char* const* argv) {
    if (argc < 2) {
      err_ << app_.help();
      return kExitUsage;
    }
    absl::string_view first = argv[1];
    if (!absl::StartsWith(first, "-") && Find(first) < 0) {
      return Usage("", absl::StrCat("unknown command \"", first, "\"",
                                    DidYouMean(first, names_)));
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return Explain(error);
    }
    for (size_t i = 0; i < apps_.size(); ++i) {
      if (!apps_[i]->parsed()) continue;
      std::string command = names_[i];
      InnermostGiven(*apps_[i], command);
      return Report(command, runs_[i]());
    }
    return Usage("", "expected a command");
  }

 private:
  int Find(absl::string_view name) const {
    for (size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return static_cast<int>(i);
    }
    return -1;
  }

  int Report(absl::string_view command, const absl::Status& status) {
    const bool is_silent = ChosenExitCode(status) && status.message().empty();
    if (!status.ok() && !is_silent) {
      err_ << "lockstep " << command << ": " << StatusLine(status) << std::endl;
    }
    return ExitCodeOf(status);
  }

  int Usage(absl::string_view command, absl::string_view message) {
    absl::string_view space = command.empty() ? "" : " ";
    err_ << "lockstep" << space << command << ": INVALID_ARGUMENT: " << message
         << " (see lockstep" << space << command << " --help)" << std::endl;
    return kExitUsage;
  }

  int Explain(const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      app_.exit(error, out_, err_);
      return kExitOk;
    }
    size_t i = 0;
    while (i < apps_.size() && !apps_[i]->parsed()) ++i;
    bool is_top = i == apps_.size();
    std::string command = is_top ? "" : names_[i];
    const CLI::App& app = is_top ? app_ : InnermostGiven(*apps_[i], command);
    for (const std::string& word : app_.remaining(true)) {
      std::string hint;
      if (absl::StartsWith(word, "-")) {
        hint = DidYouMean(word.substr(0, word.find('=')), OptionNames(app));
      } else {
        hint = DidYouMean(word, CommandNames(app));
      }
      return Usage(command,
                   absl::StrCat("unexpected argument \"", word, "\"", hint));
    }
    return Usage(command, error.what());
  }

  absl::Span<const Subcommand> commands_;
  std::ostream& out_;
  std::ostream& err_;
  CLI::App app_;
  std::vector<CLI::App*> apps_;
  std::vector<std::string> names_;
  std::vector<std::function<absl::Status()>> runs_;
};

}  // namespace

int RunCommandLine(absl::Span<const Subcommand> commands, int argc,
                   const char* const* argv, std::ostream& out,
                   std::ostream& err) {
  return CommandLine(commands, out, err).Run(argc, argv);
}

}  // namespace lockstep::internal
