#include "client/bench/collective_bench.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/bench/collective_programs.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr double kLaunchSeconds = 0.05;
constexpr int kMostTurns = 1000;
constexpr int kRounds = 7;

double Median(std::array<double, kRounds> values) {
  std::sort(values.begin(), values.end());
  return values[kRounds / 2];
}

// One case, with its programs and its operand on the devices.
class Measuring {
 public:
  Measuring(const Client& client, const CollectiveCase& c)
      : client_(client), case_(c) {}

  absl::StatusOr<CollectiveMeasurement> Run(int iterations) {
    RETURN_IF_ERROR(Prepare());
    ASSIGN_OR_RETURN(const Array none, Turns(0));
    ASSIGN_OR_RETURN(const Array one, Turns(1));
    // The first launches find memory and connections.
    RETURN_IF_ERROR(Seconds(one).status());
    ASSIGN_OR_RETURN(const Array two, Turns(2));
    RETURN_IF_ERROR(Seconds(two).status());
    int turns = (iterations + kCollectivesPerTurn - 1) / kCollectivesPerTurn;
    if (iterations == 0) {
      ASSIGN_OR_RETURN(const double with_one, Seconds(one));
      ASSIGN_OR_RETURN(const double with_two, Seconds(two));
      const double turn = std::max(with_two - with_one, 5e-6);
      turns = static_cast<int>(
          std::clamp<double>(kLaunchSeconds / turn, 1, kMostTurns));
    }
    ASSIGN_OR_RETURN(const Array more, Turns(turns + 1));
    std::array<double, kRounds> launches, differences;
    for (int i = 0; i < kRounds; ++i) {
      ASSIGN_OR_RETURN(launches[i], Seconds(none));
      // The first turn of a launch finds memory that nobody has touched.
      ASSIGN_OR_RETURN(const double with_one, Seconds(one));
      ASSIGN_OR_RETURN(const double with_more, Seconds(more));
      differences[i] = with_more - with_one;
    }
    CollectiveMeasurement measured{.measured = case_};
    measured.iterations = turns * kCollectivesPerTurn;
    measured.seconds = std::max(Median(differences), 0.0) / measured.iterations;
    measured.launch_seconds = Median(launches);
    ASSIGN_OR_RETURN(measured.wrong, CountWrong());
    return measured;
  }

 private:
  absl::Status Prepare() {
    ASSIGN_OR_RETURN(const ClusterProgram operand, Load(OperandProgram(case_)));
    ASSIGN_OR_RETURN(operand_, Launch(operand, {}));
    ASSIGN_OR_RETURN(program_, Load(CollectiveProgram(case_)));
    ASSIGN_OR_RETURN(number_, Load(NumberProgram(case_.ranks)));
    return absl::OkStatus();
  }

  absl::StatusOr<ClusterProgram> Load(const std::string& text) const {
    return client_.LoadProgram(text, {.file_name = case_.kind.name});
  }

  // Waits for the one result of a launch.
  absl::StatusOr<Array> Launch(const ClusterProgram& program,
                               const std::vector<Array>& arguments) const {
    ASSIGN_OR_RETURN(std::vector<Array> results,
                     client_.Run(program, arguments));
    RETURN_IF_ERROR(results.at(0).Await());
    return std::move(results[0]);
  }

  // On the devices, so that a launch has no values to bring there.
  absl::StatusOr<Array> Turns(int turns) const {
    return Launch(
        number_,
        {Array(std::vector<int32_t>(static_cast<size_t>(case_.ranks), turns))});
  }

  absl::StatusOr<double> Seconds(const Array& turns) {
    result_ = Array();  // its memory is there for the next one
    const absl::Time start = absl::Now();
    ASSIGN_OR_RETURN(result_, Launch(program_, {operand_, turns}));
    return absl::ToDoubleSeconds(absl::Now() - start);
  }

  absl::StatusOr<int64_t> CountWrong() const {
    int64_t wrong = 0;
    int rank = 0;
    for (const ArrayShard& shard : result_.addressable_shards()) {
      ASSIGN_OR_RETURN(const Literal data, shard.data->Fetch());
      wrong += case_.CountWrong(rank++, data);
    }
    return wrong;
  }

  const Client& client_;
  const CollectiveCase case_;
  ClusterProgram program_;
  ClusterProgram number_;
  Array operand_;
  Array result_;  // of the last launch
};

}  // namespace

absl::StatusOr<std::vector<CollectiveCase>> CollectiveBenchOptions::Cases(
    int devices) const {
  std::vector<CollectiveCase> cases;
  for (const CollectiveKind& kind : kinds) {
    CollectiveCase c{.kind = kind, .type = type, .ranks = devices};
    c.bytes = std::max<int64_t>(min_bytes / c.unit(), 1) * c.unit();
    if (c.bytes > max_bytes) {
      return absl::InvalidArgumentError(
          absl::StrCat(kind.name, ": the smallest size is ", c.bytes,
                       " bytes, and the largest ", max_bytes));
    }
    while (true) {
      RETURN_IF_ERROR(c.Check());
      cases.push_back(c);
      if (c.bytes > max_bytes / factor) break;
      c.bytes *= factor;
    }
  }
  return cases;
}

double CollectiveMeasurement::algorithm_bandwidth() const {
  return seconds > 0 ? static_cast<double>(measured.bytes) / seconds * 1e-9 : 0;
}

double CollectiveMeasurement::bus_bandwidth() const {
  return algorithm_bandwidth() * measured.kind.bus_factor(measured.ranks);
}

double AverageBusBandwidth(const std::vector<CollectiveMeasurement>& measured) {
  double sum = 0;
  for (const CollectiveMeasurement& m : measured) sum += m.bus_bandwidth();
  return measured.empty() ? 0 : sum / static_cast<double>(measured.size());
}

absl::StatusOr<CollectiveMeasurement> MeasureCollective(const Client& client,
                                                        const CollectiveCase& c,
                                                        int iterations) {
  RETURN_IF_ERROR(c.Check());
  absl::StatusOr<CollectiveMeasurement> measured =
      Measuring(client, c).Run(iterations);
  if (!measured.ok()) return Annotate(measured.status(), c.ToString());
  return measured;
}

}  // namespace lockstep::internal
