// One host of the host view that runs random batches of calls for ever, checks
// every value, and recovers from failures as a training loop does: the hosts
// agree on the batch from which all of them go on. In some batches one host
// makes other calls than the rest. LOCKSTEP_SOAK_SEED: the same on all hosts.
//
// Standard output has a line per event, after the time in microseconds:
//   ok BATCH                    at most ten a second
//   wrong BATCH WHAT            a value that is wrong
//   failed BATCH MS STATUS      what was called took so long
//   differ BATCH CALL MS STATUS the same, where a host differs on purpose
//   agreed BATCH                after failures
#include <algorithm>
#include <functional>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "client/process/ready_pipe.h"
#include "runtime/base/status.h"
#include "tests/multihost/soak_batch.h"

namespace lockstep::internal {
namespace {

// So that who waits for ever is heard of in the end.
constexpr absl::Duration kWait = absl::Seconds(100);
// Of a host that has just come: the others know.
constexpr int32_t kAnyBatch = std::numeric_limits<int32_t>::max();

using Function = std::function<Tensor(Tensor)>;
using Mapped = MappedFunction<Function>;

void Say(absl::string_view event) {
  std::cout << absl::ToUnixMicros(absl::Now()) << " " << event << std::endl;
}

// The rows of this host, of those of all.
SoakRows OwnOf(const SoakRows& all, int width) {
  static const int first = local_devices()[0].id.value();
  static const int count = local_device_count();
  return SoakRows(all.begin() + first * width,
                  all.begin() + (first + count) * width);
}

absl::StatusOr<Array> ArrayOf(const SoakRows& rows, int64_t width) {
  return Array::FromValues<float>(
      {static_cast<int64_t>(rows.size()) / width, width}, rows);
}

Mapped Map(SoakStep step, const std::string& name) {
  static const int devices = device_count();
  return Mapped([step](Tensor x) { return Apply(step, x, devices); },
                {.axis_name = "i", .name = name}, SourceLocation::current());
}

class Host {
 public:
  explicit Host(int64_t seed) : seed_(seed) {
    for (int i = 0; i < kSoakSteps; ++i) {
      known_.push_back(Map(static_cast<SoakStep>(i), absl::StrCat("known", i)));
    }
  }

  void Run() {
    number_ = AwaitAgreement(kAnyBatch);
    while (true) {
      const SoakBatch batch =
          SoakBatch::Of(seed_, number_, devices_, host_count());
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
  bool RunAlike(const SoakBatch& batch) {
    start_ = absl::Now();
    const Mapped f = batch.is_fresh
                         ? Map(batch.step, absl::StrCat("fresh", number_))
                         : known_[static_cast<int>(batch.step)];
    SoakRows expected = batch.rows;
    absl::StatusOr<Array> x =
        ArrayOf(OwnOf(batch.rows, batch.width), batch.width);
    for (int i = 0; i < batch.calls && x.ok(); ++i) {
      x = f(*x);
      expected = Expected(batch.step, expected, devices_);
    }
    const absl::Status status = Check(x, OwnOf(expected, batch.width));
    if (!status.ok()) {
      Say(absl::StrCat("failed ", number_, " ",
                       absl::ToInt64Milliseconds(Elapsed()), " ",
                       StatusLine(status)));
    }
    return status.ok();
  }

  // Waits, and says whether the value is the one expected.
  absl::Status Check(const absl::StatusOr<Array>& x, const SoakRows& expected) {
    if (!x.ok()) return x.status();
    if (absl::Status done = x->Await(absl::Now() + kWait); !done.ok()) {
      return done;
    }
    const auto found = x->ToVector<float>();
    if (!found.ok()) return found.status();
    if (*found != expected) {
      const auto [a, b] = std::mismatch(found->begin(), found->end(),
                                        expected.begin(), expected.end());
      Say(absl::StrCat("wrong ", number_, " ", found->size(),
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
  void RunDifferent(const SoakBatch& batch) {
    const bool is_mine = batch.differs == host_id();
    const Difference mine = is_mine ? batch.difference : Difference::kNone;
    const int width = batch.width;
    const SoakRows own = OwnOf(batch.rows, width);
    if (mine == Difference::kOtherOrder) {
      Call(1, odd_, own, batch);
      Call(2, even_, own, batch);
    } else {
      Call(1, even_, own, batch);
    }
    if (batch.difference == Difference::kThrows) {
      Call(2, CarelessFunction(is_mine), own, batch);
    } else if (mine == Difference::kNone) {
      Call(2, odd_, own, batch);
    } else if (mine == Difference::kRowTooFew) {
      Call(2, odd_, SoakRows(own.begin(), own.end() - width), batch);
    } else if (mine == Difference::kOtherShape) {
      SoakRows twice = own;
      twice.insert(twice.end(), own.begin(), own.end());
      Call(2, odd_, twice, batch);
    } else if (mine == Difference::kSyncs) {
      CheckDifferent();
      start_ = absl::Now();
      const absl::Status status = SyncHosts("different");
      if (status.ok()) Say(absl::StrCat("wrong ", number_, " synchronized"));
      SayDifferent(2, status);
    }
    Call(3, even_, own, batch);
    CheckDifferent();
  }

  struct Stepper {
    SoakStep step;
    Mapped function;
  };

  static Stepper CarelessFunction(bool throws) {
    return {SoakStep::kSum, Mapped(
                                [throws](Tensor x) {
                                  if (throws) throw std::runtime_error("no");
                                  return psum(x, "i");
                                },
                                {.axis_name = "i", .name = "careless"},
                                SourceLocation::current())};
  }

  // Some batches wait after each call, some only at their end.
  void Call(int place, const Stepper& f, const SoakRows& rows,
            const SoakBatch& batch) {
    if (batch.is_fresh || made_.empty()) start_ = absl::Now();
    Made& made = made_.emplace_back();
    made.place = place;
    made.expected = OwnOf(Expected(f.step, batch.rows, devices_), batch.width);
    // As many rows as there are devices, or one less.
    const int64_t width =
        rows.size() > made.expected.size() ? 2 * batch.width : batch.width;
    try {
      made.result = f.function(*ArrayOf(rows, width));
    } catch (const std::exception& e) {
      made.result = absl::UnknownError(absl::StrCat("thrown: ", e.what()));
    }
    if (batch.is_fresh) CheckDifferent();
  }

  // Of the calls of one place that differ nothing may be computed.
  void CheckDifferent() {
    for (const Made& made : std::exchange(made_, {})) {
      SayDifferent(made.place, Check(made.result, made.expected));
    }
  }

  void SayDifferent(int place, const absl::Status& status) {
    if (status.ok()) return;
    Say(absl::StrCat("differ ", number_, " ", place, " ",
                     absl::ToInt64Milliseconds(Elapsed()), " ",
                     StatusLine(status)));
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
                     first_(std::vector<int32_t>(local_device_count(), mine)));
    RETURN_IF_ERROR(first.Await(absl::Now() + kWait));
    ASSIGN_OR_RETURN(const auto values, first.ToVector<int32_t>());
    return values[0];
  }

  struct Made {
    int place = 0;
    absl::StatusOr<Array> result = absl::UnknownError("");
    SoakRows expected;
  };

  const int64_t seed_;
  const int devices_ = device_count();
  int32_t number_ = 0;
  absl::Time start_;
  absl::Time last_ok_;
  std::vector<Mapped> known_;
  const Stepper even_{SoakStep::kSum, Map(SoakStep::kSum, "even")};
  const Stepper odd_{SoakStep::kLargestAndOwn,
                     Map(SoakStep::kLargestAndOwn, "odd")};
  std::vector<Made> made_;
  const Mapped first_{[](Tensor x) { return pmin(x, "i"); },
                      {.axis_name = "i", .name = "first"},
                      SourceLocation::current()};
};

}  // namespace
}  // namespace lockstep::internal

int main() {
  auto ready = lockstep::internal::ReadySignal::FromEnvironment();
  const absl::Status joined = lockstep::Initialize();
  if (!joined.ok()) {
    ready.Failed(joined);
    return 1;
  }
  ready.Ready("");
  const char* seed = std::getenv("LOCKSTEP_SOAK_SEED");
  lockstep::internal::Host(seed == nullptr ? 1 : std::atoll(seed)).Run();
}
