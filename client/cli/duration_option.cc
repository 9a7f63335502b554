#include "client/cli/duration_option.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {

CLI::Option* AddDurationOption(CLI::App& app, const std::string& name,
                               absl::Duration& duration,
                               const std::string& description) {
  auto parse = [name, &duration](const std::string& text) {
    double seconds = 0;
    absl::Duration parsed;
    if (absl::SimpleAtod(text, &seconds)) {
      parsed = absl::Seconds(seconds);
    } else if (!absl::ParseDuration(text, &parsed)) {
      throw CLI::ValidationError(
          name, absl::StrCat("expected a duration such as 1.5s, found \"", text,
                             "\""));
    }
    if (parsed < absl::ZeroDuration()) {
      throw CLI::ValidationError(
          name,
          absl::StrCat("expected no negative duration, found \"", text, "\""));
    }
    duration = parsed;
  };
  return app.add_option_function<std::string>(name, parse, description)
      ->type_name("DURATION")
      ->default_str(absl::FormatDuration(duration));
}

}  // namespace lockstep::internal
