#include "runtime/backends/cpu/processor/cpu_target.h"

#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {
namespace {

constexpr char kHost[] = "host";

struct Feature {
  const char* name;
  bool is_there;
};

struct Level {
  const char* name;
  InstructionSet instruction_set;
  // What the compiler can ask for of the features that the level adds; a
  // processor that has these has the others.
  std::vector<Feature> added;
};

const std::vector<Level>& Levels() {
#if defined(__x86_64__)
#define LOCKSTEP_FEATURE(name) Feature{name, __builtin_cpu_supports(name) != 0}
  static const auto* levels = new std::vector<Level>{
      {"x86-64-v2",
       InstructionSet::kPlain,
       {LOCKSTEP_FEATURE("sse3"), LOCKSTEP_FEATURE("ssse3"),
        LOCKSTEP_FEATURE("sse4.1"), LOCKSTEP_FEATURE("sse4.2"),
        LOCKSTEP_FEATURE("popcnt")}},
      {"x86-64-v3",
       InstructionSet::kAvx2,
       {LOCKSTEP_FEATURE("avx"), LOCKSTEP_FEATURE("avx2"),
        LOCKSTEP_FEATURE("bmi"), LOCKSTEP_FEATURE("bmi2"),
        LOCKSTEP_FEATURE("fma")}},
      {"x86-64-v4",
       InstructionSet::kAvx512,
       {LOCKSTEP_FEATURE("avx512f"), LOCKSTEP_FEATURE("avx512bw"),
        LOCKSTEP_FEATURE("avx512cd"), LOCKSTEP_FEATURE("avx512dq"),
        LOCKSTEP_FEATURE("avx512vl")}},
  };
#undef LOCKSTEP_FEATURE
#else
  static const auto* levels = new std::vector<Level>();
#endif
  return *levels;
}

// The first feature that this machine lacks of the level; null when none.
const char* MissingOf(const Level& level) {
  for (const Feature& feature : level.added) {
    if (!feature.is_there) return feature.name;
  }
  return nullptr;
}

InstructionSet HostInstructionSet() {
  InstructionSet set = InstructionSet::kPlain;
  for (const Level& level : Levels()) {
    if (MissingOf(level) != nullptr) break;
    set = level.instruction_set;
  }
  return set;
}

const absl::StatusOr<CpuTarget>& NamedByEnvironment() {
  static const auto* target = [] {
    const char* value = std::getenv(kCpuTargetVariable);
    absl::StatusOr<CpuTarget> parsed =
        CpuTarget::Parse(value == nullptr || *value == 0 ? kHost : value);
    if (!parsed.ok()) {
      parsed = absl::Status(
          parsed.status().code(),
          absl::StrCat(kCpuTargetVariable, ": ", parsed.status().message()));
    }
    return new absl::StatusOr<CpuTarget>(std::move(parsed));
  }();
  return *target;
}

}  // namespace

const char kCpuTargetVariable[] = "LOCKSTEP_CPU_TARGET";

std::vector<std::string> CpuTarget::Names() {
  std::vector<std::string> names = {kHost};
  for (const Level& level : Levels()) names.push_back(level.name);
  return names;
}

absl::StatusOr<CpuTarget> CpuTarget::Parse(absl::string_view name) {
  if (name == kHost) return CpuTarget(kHost, HostInstructionSet());
  for (const Level& wanted : Levels()) {
    if (name != wanted.name) continue;
    for (const Level& level : Levels()) {
      if (const char* missing = MissingOf(level)) {
        return absl::FailedPreconditionError(absl::StrCat(
            "expected a processor that this machine's can stand in for, found ",
            name, ": ", missing, " is missing"));
      }
      if (&level == &wanted) break;
    }
    return CpuTarget(wanted.name, wanted.instruction_set);
  }
  return absl::InvalidArgumentError(absl::StrCat("expected one of ",
                                                 absl::StrJoin(Names(), ", "),
                                                 ", found \"", name, "\""));
}

const CpuTarget& CpuTarget::OfProcess() {
  const absl::StatusOr<CpuTarget>& named = NamedByEnvironment();
  if (named.ok()) return *named;
  static const CpuTarget* host = new CpuTarget(*Parse(kHost));
  return *host;
}

absl::Status CpuTarget::StatusOfProcess() {
  return NamedByEnvironment().status();
}

}  // namespace lockstep::internal
