#include "client/cli/profile_report.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/cli/text_table.h"
#include "client/profile/profile_summary.h"

namespace lockstep::internal {
namespace {

constexpr size_t kMostRows = 20;
constexpr size_t kMostName = 48;  // characters

using Row = std::vector<std::string>;

// "3.21 us", "14.2 ms".
std::string TimeText(absl::Duration time) {
  const double micros = absl::ToDoubleMicroseconds(time);
  if (micros < 1000) return absl::StrFormat("%.3g us", micros);
  if (micros < 1e6) return absl::StrFormat("%.3g ms", micros / 1e3);
  return absl::StrFormat("%.4g s", micros / 1e6);
}

std::string PercentText(std::optional<double> share) {
  if (!share) return "-";
  return absl::StrFormat("%.*f %%", *share < 0.0995 ? 1 : 0, 100 * *share);
}

// In units of 1e9.
std::string GigaText(double rate) {
  if (rate <= 0) return "-";
  const double giga = rate / 1e9;
  return absl::StrFormat("%.*f", giga < 0.095 ? 3 : giga < 9.95 ? 2 : 1, giga);
}

class Report {
 public:
  Report(const LaunchProfile& profile, const LaunchLimits& limits)
      : profile_(profile),
        limits_(limits),
        summary_(Summarize(profile, limits)),
        devices_(static_cast<int64_t>(profile.devices.size())),
        waits_(std::any_of(
            profile.thunks().begin(), profile.thunks().end(),
            [](const ProfiledThunk& thunk) { return !thunk.groups.empty(); })) {
  }

  std::string Text() const {
    std::string text;
    AppendLaunch(text);
    AppendKinds(text);
    AppendThunks(text);
    if (summary_.events_left_out > 0) {
      absl::StrAppend(&text, "\n", summary_.events_left_out,
                      " executions are in the sums and not in the trace, which "
                      "has the first ",
                      summary_.events, "\n");
    }
    return text;
  }

 private:
  void AppendLaunch(std::string& text) const {
    const int threads = profile_.devices[0].threads;
    absl::StrAppend(&text, "profile of ", profile_.program, ": a launch of ",
                    TimeText(summary_.launch), " on ", devices_,
                    devices_ == 1 ? " device of " : " devices of ", threads,
                    threads == 1 ? " thread" : " threads");
    if (devices_ > 1) {
      absl::StrAppend(&text, ", ", TimeText(summary_.longest),
                      " on the slowest");
    }
    absl::StrAppend(&text, ";\n", TimeText(summary_.outside),
                    " of it outside of thunks. Limits of a device: ",
                    GigaText(limits_.bytes_per_second), " GB/s (",
                    limits_.bytes_origin, "), ",
                    GigaText(limits_.flops_per_second), " GFLOP/s (",
                    limits_.flops_origin, ")\n");
  }

  // TIME SHARE COUNT ...
  Row Cells(const ProfileSum& sum, const std::string& median,
            std::optional<double> share_of_limit) const {
    Row row = {TimeText(sum.self / devices_), PercentText(sum.share)};
    if (waits_) {
      row.push_back(sum.waiting > absl::ZeroDuration()
                        ? TimeText(sum.waiting / devices_)
                        : "-");
    }
    row.push_back(absl::StrCat(sum.count / devices_));
    if (!median.empty()) row.push_back(median);
    row.push_back(GigaText(sum.bytes_per_second()));
    row.push_back(GigaText(sum.flops_per_second()));
    row.push_back(PercentText(share_of_limit));
    return row;
  }
  Row Header(bool has_median) const {
    Row row = {"TIME", "SHARE"};
    if (waits_) row.push_back("WAITING");
    row.push_back("COUNT");
    if (has_median) row.push_back("MEDIAN");
    for (const char* name : {"GB/S", "GFLOP/S", "OF LIMIT"}) {
      row.push_back(name);
    }
    return row;
  }

  void AppendKinds(std::string& text) const {
    std::vector<Row> rows = {Header(false)};
    rows[0].push_back("KIND");
    for (const KindRow& kind : summary_.kinds) {
      rows.push_back(Cells(kind.sum, "", kind.share_of_limit));
      rows.back().push_back(kind.kind);
    }
    absl::StrAppend(&text, "\n");
    AppendTable(rows, text);
  }

  void AppendThunks(std::string& text) const {
    std::vector<Row> rows = {Header(true)};
    rows[0].push_back("THUNK");
    rows[0].push_back("LOCATION");
    ProfileSum others;
    for (size_t i = 0; i < summary_.thunks.size(); ++i) {
      const ThunkRow& row = summary_.thunks[i];
      if (i >= kMostRows) {
        others.self += row.sum.self;
        others.share += row.sum.share;
        continue;
      }
      rows.push_back(Cells(row.sum, TimeText(row.median), row.share_of_limit));
      const ProfiledThunk& thunk = profile_.thunks()[row.thunk];
      rows.back().push_back(NameOf(thunk));
      rows.back().push_back(ShortLocation(thunk.location));
    }
    absl::StrAppend(&text, "\n");
    AppendTable(rows, text);
    if (summary_.thunks.size() > kMostRows) {
      absl::StrAppend(&text, TimeText(others.self / devices_), "  ",
                      PercentText(others.share), "  ",
                      summary_.thunks.size() - kMostRows, " others\n");
    }
  }

  // "step.py:7:4 (m.mlir:12:8)", without the folders.
  static std::string ShortLocation(absl::string_view location) {
    std::string text;
    for (absl::string_view word : absl::StrSplit(location, ' ')) {
      const bool is_within = absl::ConsumePrefix(&word, "(");
      const size_t slash = word.rfind('/');
      if (slash != word.npos) word.remove_prefix(slash + 1);
      absl::StrAppend(&text, text.empty() ? "" : " ", is_within ? "(" : "",
                      word);
    }
    return text;
  }

  // "fusion of 2 (add, tanh)", "all_reduce, beside".
  static std::string NameOf(const ProfiledThunk& thunk) {
    std::string name(absl::StripPrefix(
        absl::StripPrefix(thunk.kind, "stablehlo."), "lockstep."));
    if (!thunk.ops.empty()) absl::StrAppend(&name, " (", thunk.ops, ")");
    if (name.size() > kMostName) name = name.substr(0, kMostName) + "...";
    if (thunk.is_beside) name += ", beside";
    return name;
  }

  const LaunchProfile& profile_;
  const LaunchLimits& limits_;
  const ProfileSummary summary_;
  const int64_t devices_;
  const bool waits_;
};

}  // namespace

std::string ProfileReport(const LaunchProfile& profile,
                          const LaunchLimits& limits) {
  return Report(profile, limits).Text();
}

}  // namespace lockstep::internal
