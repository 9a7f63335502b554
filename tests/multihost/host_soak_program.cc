// One host of the host view that runs random batches of calls for ever, checks
// every value, and recovers from failures as a training loop does: the hosts
// agree on the batch from which all of them go on. In some batches one host
// makes other calls than the rest. LOCKSTEP_SOAK_SEED: the same on all hosts.
//
// Standard output has a line per event, after the time in microseconds:
//   ok BATCH                    at most ten a second
//   wrong BATCH WHAT            a value that is wrong
//   failed BATCH MS STATUS      what was called took so long
//   differ BATCH CALL MS STATUS the same, where one host differs on purpose
//   agreed BATCH                after failures
#include <algorithm>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "client/process/ready_pipe.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

constexpr int kKinds = 4;
// So that who waits for ever is heard of in the end.
constexpr absl::Duration kWait = absl::Seconds(100);
// Of a host that has just come: the others know.
constexpr int32_t kAnyBatch = std::numeric_limits<int32_t>::max();

using Rows = std::vector<float>;  // devices x width, row-major
using Function = std::function<Tensor(Tensor)>;
using Mapped = MappedFunction<Function>;

void Say(absl::string_view event) {
  std::cout << absl::ToUnixMicros(absl::Now()) << " " << event << std::endl;
}

int Devices() {
  static const int count = device_count();
  return count;
}

int LocalDevices() {
  static const int count = local_device_count();
  return count;
}

// Where this host's rows lie among those of all.
int FirstDevice() {
  static const int first = local_devices()[0].id.value();
  return first;
}

Tensor Apply(int kind, Tensor x) {
  switch (kind) {
    case 0:
      return psum(x, "i");
    case 1:
      return pmax(x, "i") + x;
    case 2: {
      std::vector<std::pair<int64_t, int64_t>> ring;
      for (int d = 0; d < Devices(); ++d)
        ring.push_back({d, (d + 1) % Devices()});
      return ppermute(x, "i", ring);
    }
    default:
      return x + x;
  }
}

// The same by hand, of the rows of all devices.
Rows Expected(int kind, const Rows& x, int width) {
  Rows y(x.size());
  const int devices = Devices();
  for (int column = 0; column < width; ++column) {
    float sum = 0, largest = x[column];
    for (int d = 0; d < devices; ++d) {
      sum += x[d * width + column];
      largest = std::max(largest, x[d * width + column]);
    }
    for (int d = 0; d < devices; ++d) {
      const float value = x[d * width + column];
      const float before = x[(d + devices - 1) % devices * width + column];
      y[d * width + column] = kind == 0   ? sum
                              : kind == 1 ? largest + value
                              : kind == 2 ? before
                                          : 2 * value;
    }
  }
  return y;
}

Rows OwnOf(const Rows& all, int width) {
  return Rows(all.begin() + FirstDevice() * width,
              all.begin() + (FirstDevice() + LocalDevices()) * width);
}

absl::StatusOr<Array> ArrayOf(const Rows& rows, int width) {
  return Array::FromValues<float>(
      {static_cast<int64_t>(rows.size()) / width, width}, rows);
}

Mapped MapKind(int kind, const std::string& name) {
  return Mapped([kind](Tensor x) { return Apply(kind, x); },
                {.axis_name = "i", .name = name}, SourceLocation::current());
}

// In what way one host differs in the second of three calls.
enum class Difference {
  kNone,
  kRowTooFew,
  kOtherShape,
  kOtherOrder,
  kSkips,
  kThrows,
  kSyncs,
};
constexpr int kDifferences = 7;

// The same on every host.
struct Batch {
  Batch(int64_t seed, int32_t number) : random(Seeded(seed, number)) {
    kind = Pick(kKinds);
    calls = 1 + Pick(5);
    width = std::vector<int>{1, 3, 2000}[Pick(3)];
    is_fresh = Pick(8) == 0;
    for (int i = 0; i < Devices() * width; ++i) {
      rows.push_back(static_cast<float>(Pick(3)));
    }
    if (Pick(40) == 0) {
      difference = static_cast<Difference>(1 + Pick(kDifferences - 1));
      differs = Pick(host_count());
    }
  }
  static std::mt19937 Seeded(int64_t seed, int32_t number) {
    std::seed_seq words{seed, static_cast<int64_t>(number)};
    return std::mt19937(words);
  }
  int Pick(int count) { return static_cast<int>(random() % count); }

  std::mt19937 random;
  int kind = 0;
  int calls = 0;
  int width = 0;
  bool is_fresh = false;  // a function that was not called before
  Rows rows;              // of all devices
  Difference difference = Difference::kNone;
  int differs = -1;  // the host
};

class Host {
 public:
  explicit Host(int64_t seed) : seed_(seed) {
    for (int kind = 0; kind < kKinds; ++kind) {
      known_.push_back(MapKind(kind, absl::StrCat("known", kind)));
    }
  }

  void Run() {
    number_ = AwaitAgreement(kAnyBatch);
    while (true) {
      const Batch batch(seed_, number_);
      if (batch.difference != Difference::kNone) {
        RunDifferent(batch);
        ++number_;
      } else if (RunAlike(batch)) {
        ++number_;
      } else {
        number_ = AwaitAgreement(number_);
      }
    }
  }

 private:
  absl::Duration Elapsed() const { return absl::Now() - start_; }

  // Whether it succeeded.
  bool RunAlike(const Batch& batch) {
    start_ = absl::Now();
    const Mapped f = batch.is_fresh
                         ? MapKind(batch.kind, absl::StrCat("fresh", number_))
                         : known_[batch.kind];
    Rows expected = batch.rows;
    absl::StatusOr<Array> x =
        ArrayOf(OwnOf(batch.rows, batch.width), batch.width);
    for (int i = 0; i < batch.calls && x.ok(); ++i) {
      x = f(*x);
      expected = Expected(batch.kind, expected, batch.width);
    }
    const absl::Status status = Check(x, OwnOf(expected, batch.width),
                                      absl::StrCat("kind ", batch.kind));
    if (!status.ok()) {
      Say(absl::StrCat("failed ", number_, " ",
                       absl::ToInt64Milliseconds(Elapsed()), " ",
                       StatusLine(status)));
    }
    return status.ok();
  }

  // Waits, and says whether the value is the one expected.
  absl::Status Check(const absl::StatusOr<Array>& x, const Rows& expected,
                     const std::string& what) {
    if (!x.ok()) return x.status();
    if (absl::Status done = x->Await(absl::Now() + kWait); !done.ok()) {
      return done;
    }
    const auto found = x->ToVector<float>();
    if (!found.ok()) return found.status();
    if (*found != expected) {
      const auto [a, b] = std::mismatch(found->begin(), found->end(),
                                        expected.begin(), expected.end());
      Say(absl::StrCat("wrong ", number_, " ", what, ": ", found->size(),
                       " values, expected ", expected.size(), "; at ",
                       a - found->begin(), " ", a == found->end() ? 0 : *a,
                       ", expected ", b == expected.end() ? 0 : *b));
    }
    if (absl::Now() - last_ok_ > absl::Milliseconds(100)) {
      last_ok_ = absl::Now();
      Say(absl::StrCat("ok ", number_));
    }
    return absl::OkStatus();
  }

  // Three calls of functions of their own; one host differs in the second.
  // What is computed all the same must be right.
  void RunDifferent(const Batch& batch) {
    const bool is_mine = batch.differs == host_id();
    const int width = batch.width;
    const Rows own = OwnOf(batch.rows, width);
    const Mapped& even = FunctionOf("even", 0);
    const Mapped& odd = FunctionOf("odd", 1);
    const Mapped careless(
        [is_mine](Tensor x) {
          if (is_mine) throw std::runtime_error("no such file");
          return psum(x, "i");
        },
        {.axis_name = "i", .name = "careless"}, SourceLocation::current());
    const auto call = [&](int place, int kind, const Mapped& f,
                          const Rows& rows, int row_width) {
      start_ = absl::Now();
      absl::Status status;
      try {
        const auto x = ArrayOf(rows, row_width);
        // Of the calls of one place that differ nothing may be computed.
        status = Check(f(*x), OwnOf(Expected(kind, batch.rows, width), width),
                       absl::StrCat("different, call ", place));
      } catch (const std::exception& e) {
        status = absl::UnknownError(absl::StrCat("thrown: ", e.what()));
      }
      Differ(place, is_mine, status);
    };
    const auto even_call = [&](int place) { call(place, 0, even, own, width); };
    const auto odd_call = [&](int place) { call(place, 1, odd, own, width); };

    switch (is_mine ? batch.difference : Difference::kNone) {
      case Difference::kOtherOrder:
        odd_call(1);
        even_call(2);
        even_call(3);
        return;
      case Difference::kSkips:
        even_call(1);
        even_call(3);
        return;
      default:
        even_call(1);
    }
    if (batch.difference == Difference::kThrows) {
      call(2, 0, careless, own, width);
    } else if (!is_mine) {
      odd_call(2);
    } else if (batch.difference == Difference::kRowTooFew) {
      call(2, 1, odd, Rows(own.begin(), own.end() - width), width);
    } else if (batch.difference == Difference::kOtherShape) {
      Rows twice = own;
      twice.insert(twice.end(), own.begin(), own.end());
      call(2, 1, odd, twice, 2 * width);
    } else {
      start_ = absl::Now();
      const absl::Status status = SyncHosts("different");
      if (status.ok()) Say(absl::StrCat("wrong ", number_, " synchronized"));
      Differ(2, is_mine, status);
    }
    even_call(3);
  }

  void Differ(int place, bool is_mine, const absl::Status& status) {
    if (status.ok()) return;
    Say(absl::StrCat("differ ", number_, " ", place, is_mine ? "! " : " ",
                     absl::ToInt64Milliseconds(Elapsed()), " ",
                     StatusLine(status)));
  }

  const Mapped& FunctionOf(const std::string& name, int kind) {
    const auto it = named_.find(name);
    if (it != named_.end()) return it->second;
    return named_.emplace(name, MapKind(kind, name)).first->second;
  }

  // The first batch that one of the hosts has not finished.
  int32_t AwaitAgreement(int32_t mine) {
    while (true) {
      start_ = absl::Now();
      const absl::StatusOr<int32_t> agreed = Agree(mine);
      if (agreed.ok()) {
        const int32_t batch = *agreed == kAnyBatch ? 0 : *agreed;
        Say(absl::StrCat("agreed ", batch));
        return batch;
      }
      Say(absl::StrCat("failed ", mine, " ",
                       absl::ToInt64Milliseconds(Elapsed()),
                       " recovery: ", StatusLine(agreed.status())));
      absl::SleepFor(absl::Milliseconds(20));
    }
  }

  absl::StatusOr<int32_t> Agree(int32_t mine) {
    RETURN_IF_ERROR(SyncHosts("recovery", kWait));
    ASSIGN_OR_RETURN(const Array first,
                     first_(std::vector<int32_t>(LocalDevices(), mine)));
    RETURN_IF_ERROR(first.Await(absl::Now() + kWait));
    ASSIGN_OR_RETURN(const auto values, first.ToVector<int32_t>());
    return values[0];
  }

  const int64_t seed_;
  int32_t number_ = 0;
  absl::Time start_;
  absl::Time last_ok_;
  std::vector<Mapped> known_;
  std::map<std::string, Mapped> named_;
  const Mapped first_{[](Tensor x) { return pmin(x, "i"); },
                      {.axis_name = "i", .name = "first"},
                      SourceLocation::current()};
};

}  // namespace
}  // namespace lockstep

int main() {
  auto ready = lockstep::ReadySignal::FromEnvironment();
  const absl::Status joined = lockstep::Initialize();
  if (!joined.ok()) {
    ready.Failed(joined);
    return 1;
  }
  ready.Ready("");
  const char* seed = std::getenv("LOCKSTEP_SOAK_SEED");
  lockstep::Host(seed == nullptr ? 1 : std::atoll(seed)).Run();
}
