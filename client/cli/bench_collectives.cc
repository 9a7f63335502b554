// lockstep bench collectives: what collectives cost between the hosts of a
// cluster.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/bench/collective_bench.h"
#include "client/cli/cache_directory_option.h"
#include "client/cli/collectives_report.h"
#include "client/cli/duration_option.h"
#include "client/cli/progress_line.h"
#include "client/cli/security_options.h"
#include "client/cli/subcommand.h"
#include "client/cli/suggestion.h"
#include "client/client.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr char kWhatIsTimed[] =
    R"(What is timed: a program that runs the collective in a loop, each one when the
one before it has ended, on all devices, as programs of users run. The time is
that of one of them: the median difference between launches with --iterations
more of them and with one turn of the loop, so it is without the launch (which
is launch_seconds of --json, from the client's call until it knows that all
devices are through). The loop itself is in it, five collectives a turn. Operand
and result are different memory. After the last launch every element of the
result is compared with what it must be, on every device: #wrong. Sizes,
algorithm and bus bandwidth are counted as in nccl-tests; 0.00 where noise was
more than the time.

)";

constexpr int64_t kMostBytes = int64_t{1} << 50;

struct BenchCollectivesOptions {
  CollectiveBenchOptions bench;
  std::string coordinator;  // "": a cluster of its own
  Client::EmbeddedOptions own = {.hosts = 2, .deadline = absl::Seconds(60)};
  SecurityOptions security;
  bool is_json = false;
};

absl::StatusOr<Client> Connect(const BenchCollectivesOptions& options,
                               ProgressLine& progress) {
  if (options.coordinator.empty()) {
    progress.Show(absl::StrCat("starting ", options.own.hosts, " hosts ..."));
    return Client::Embedded(options.own);
  }
  progress.Show(absl::StrCat("connecting to ", options.coordinator, " ..."));
  return Client::Connect(
      options.coordinator,
      {.name = "lockstep bench collectives",
       .deadline = options.own.deadline,
       .security_directory = options.security.directory,
       .allow_insecure = options.security.is_insecure,
       .on_notice = [&](absl::string_view line) { progress.Show(line); }});
}

// Prints rows as they come, unless they are for JSON.
class Report {
 public:
  Report(const CollectivesCluster& cluster, bool is_json)
      : cluster_(cluster), is_json_(is_json) {
    Print(CollectivesTitle(cluster_));
  }

  void Add(const CollectiveMeasurement& measured) {
    const CollectiveKind& kind = measured.measured.kind;
    if (of_op_.empty() || of_op_.back().measured.kind.op != kind.op) {
      EndOp();
      Print(CollectiveHeader(kind));
    }
    Print(CollectiveRow(measured));
    of_op_.push_back(measured);
    all_.push_back(measured);
  }

  // DATA_LOSS says where elements were wrong.
  absl::Status End() {
    EndOp();
    if (is_json_) std::cout << CollectivesJson(cluster_, all_) << std::flush;
    return CheckElements(all_);
  }

 private:
  void Print(const std::string& text) const {
    if (!is_json_) std::cout << text << std::flush;
  }
  void EndOp() {
    if (!of_op_.empty()) Print(CollectiveFooter(of_op_));
    of_op_.clear();
  }

  const CollectivesCluster cluster_;
  const bool is_json_;
  std::vector<CollectiveMeasurement> of_op_;
  std::vector<CollectiveMeasurement> all_;
};

absl::Status BenchCollectives(const BenchCollectivesOptions& options) {
  if (options.coordinator.empty()) {
    // What is wrong with sizes, before anything starts.
    RETURN_IF_ERROR(
        options.bench.Cases(options.own.hosts * options.own.devices_per_host)
            .status());
  }
  ProgressLine progress(STDERR_FILENO);
  ASSIGN_OR_RETURN(const Client client, Connect(options, progress));
  ASSIGN_OR_RETURN(const std::vector<CollectiveCase> cases,
                   options.bench.Cases(client.device_count()));
  progress.Clear();
  Report report({.where = options.coordinator.empty() ? "this machine"
                                                      : options.coordinator,
                 .hosts = client.host_count(),
                 .devices = client.device_count(),
                 .platform = client.devices().front().platform},
                options.is_json);
  for (const CollectiveCase& c : cases) {
    progress.Show(absl::StrCat("measuring ", c.ToString(), " ..."));
    const absl::StatusOr<CollectiveMeasurement> measured =
        MeasureCollective(client, c, options.bench.iterations);
    progress.Clear();
    if (!measured.ok()) {
      report.End().IgnoreError();  // what there is
      return measured.status();
    }
    report.Add(*measured);
  }
  return report.End();
}

// Of `known`, whose names are those of `names`. Throws with what is there.
template <typename T>
T Named(const std::string& option, const std::string& text,
        const std::vector<std::string>& names, const std::vector<T>& known) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return known[i];
  }
  const std::string nearest = NearestWord(text, names);
  throw CLI::ValidationError(
      option, absl::StrCat("expected one of ", absl::StrJoin(names, ", "),
                           ", found \"", text, "\"",
                           nearest.empty() ? ""
                                           : absl::StrCat("; did you mean ",
                                                          nearest, "?")));
}

void AddOpOption(CLI::App& app, std::vector<CollectiveKind>& kinds) {
  std::vector<std::string> names;
  std::vector<std::vector<CollectiveKind>> known;
  for (const CollectiveKind& kind : CollectiveKinds()) {
    names.push_back(kind.name);
    known.push_back({kind});
  }
  names.push_back("all");
  known.push_back(CollectiveKinds());
  kinds = known.front();
  auto parse = [names, known, &kinds](const std::vector<std::string>& texts) {
    kinds.clear();
    for (const std::string& text : texts) {
      for (const CollectiveKind& kind : Named("--op", text, names, known)) {
        const bool is_there = absl::c_any_of(
            kinds, [&](const auto& other) { return other.op == kind.op; });
        if (!is_there) kinds.push_back(kind);
      }
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "--op", parse,
         absl::StrCat("which ones, with commas between them: ",
                      absl::StrJoin(names, ", ")))
      ->delimiter(',')
      ->type_name("OP")
      ->default_str(names.front());
}

void AddTypeOption(CLI::App& app, ElementType& type) {
  std::vector<std::string> names;
  for (const ElementType known : CollectiveTypes()) {
    names.emplace_back(NumpyName(known));
  }
  auto parse = [names, &type](const std::string& text) {
    const absl::StatusOr<ElementType> known = ParseStablehloName(text);
    if (known.ok() && absl::c_linear_search(CollectiveTypes(), *known)) {
      type = *known;
      return;
    }
    type = Named("--dtype", text, names, CollectiveTypes());
  };
  app.add_option_function<std::string>(
         "-d,--dtype", parse,
         absl::StrCat("of the elements, under these names or StableHLO's "
                      "(f32): ",
                      absl::StrJoin(names, ", ")))
      ->type_name("TYPE")
      ->default_str(std::string(NumpyName(type)));
}

void AddSizeOptions(CLI::App& app, CollectiveBenchOptions& bench) {
  app.add_option(
         "-b,--min-bytes", bench.min_bytes,
         "the smallest size, such as 4K; rounded down to an element for "
         "each device where the collective has such parts")
      ->capture_default_str()
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(int64_t{1}, kMostBytes))
      ->type_name("BYTES");
  app.add_option("-e,--max-bytes", bench.max_bytes, "the largest size")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(int64_t{1}, kMostBytes))
      ->type_name("BYTES")
      ->default_str("64M");
  app.add_option("-f,--factor", bench.factor,
                 "what a size is multiplied by for the next one")
      ->capture_default_str()
      ->check(CLI::Range(2, 1 << 20));
  app.add_option(
         "-n,--iterations", bench.iterations,
         "collectives that are timed at a time, rounded up to a multiple of "
         "5 (default: as many as take some 50 ms, 5 at least; a size takes "
         "seven times that, and as much again to begin)")
      ->check(CLI::Range(1, 1000000));
}

}  // namespace

std::function<absl::Status()> DefineBenchCollectives(CLI::App& app) {
  auto options = std::make_shared<BenchCollectivesOptions>();
  app.footer(absl::StrCat(kWhatIsTimed, app.get_footer()));
  AddOpOption(app, options->bench.kinds);
  AddSizeOptions(app, options->bench);
  AddTypeOption(app, options->bench.type);
  auto* coordinator =
      app.add_option("--coordinator", options->coordinator,
                     "HOST:PORT of the coordinator of a cluster that runs, "
                     "instead of one of its own on this machine");
  AddSecurityOptions(app, options->security)->needs(coordinator);
  app.add_option("--hosts", options->own.hosts,
                 "worker processes of the cluster of its own")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024))
      ->excludes(coordinator);
  app.add_option("--devices-per-host,--devices", options->own.devices_per_host,
                 "devices of each of them")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024))
      ->excludes(coordinator);
  app.add_option("--platform", options->own.platform,
                 "kind of devices, cpu or cuda (default: GPUs where there are "
                 "enough of them)")
      ->excludes(coordinator);
  app.add_option("--backend", options->own.backend,
                 "what runs the programs (default: the platform's)")
      ->excludes(coordinator);
  AddCacheDirectoryOption(app, options->own.cache_directory)
      ->excludes(coordinator);
  AddDurationOption(app, "--connect-deadline", options->own.deadline,
                    "how long to wait for a complete cluster");
  app.add_flag("--json", options->is_json,
               "one JSON object instead of a table");
  return [options] { return BenchCollectives(*options); };
}

}  // namespace lockstep::internal
