#include "runtime/collectives/call_mismatch.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {
namespace {

std::string Member(const CliqueMember& member, const CollectiveNames& names) {
  return absl::StrCat("device ", member.device.value(), " of ",
                      names.Host(member.host));
}

std::string RecentLaunches(const CollectiveCall& call,
                           const CollectiveNames& names) {
  std::vector<std::string> launches;
  for (uint64_t program : call.recent_programs) {
    if (program != 0) launches.push_back(names.Program(program));
  }
  if (launches.empty()) return "unknown";
  return absl::StrJoin(launches, ", ");
}

// Where the call stands, when the description does not tell the two apart.
std::string Position(const CollectiveCall& call) {
  return absl::StrFormat("epoch %d, sequence %x, launch %d, collective %d",
                         call.epoch.value(), call.launch_sequence,
                         call.launch.value(), call.number);
}

// Of programs that only their fingerprints tell apart.
std::string ProgramText(const CollectiveCall& call) {
  return absl::StrFormat(" of program %016x", call.recent_programs[0]);
}

}  // namespace

std::string CollectiveNames::Host(HostId id) const {
  return host ? host(id) : absl::StrCat("host ", id.value());
}

std::string CollectiveNames::Program(uint64_t fingerprint) const {
  std::string name = program ? program(fingerprint) : "";
  return name.empty() ? absl::StrFormat("%016x", fingerprint) : name;
}

std::string Describe(const CollectiveCall& call) {
  if (!call.description.empty()) return call.description;
  return absl::StrCat("collective #", call.number, " of launch ",
                      call.launch.value());
}

absl::Status CheckSameCall(const CliqueMember& member_a,
                           const CollectiveCall& call_a,
                           const CliqueMember& member_b,
                           const CollectiveCall& call_b,
                           const CollectiveNames& names) {
  bool same_launch = call_a.epoch == call_b.epoch &&
                     call_a.launch_sequence == call_b.launch_sequence &&
                     call_a.launch == call_b.launch;
  // Earlier launches are for the message: they may differ after a failure.
  bool same_program = call_a.recent_programs[0] == call_b.recent_programs[0];
  bool same_position = same_launch && call_a.number == call_b.number;
  if (same_position && same_program && call_a.digest == call_b.digest) {
    return absl::OkStatus();
  }
  std::string a = Describe(call_a);
  std::string b = Describe(call_b);
  if (same_position && same_program && a == b) {
    return absl::InternalError(absl::StrFormat(
        "%s: digests of the collective differ although the programs agree: %s "
        "has %016x, %s has %016x",
        a, Member(member_a, names), call_a.digest, Member(member_b, names),
        call_b.digest));
  }
  if (a == b && same_position) {
    absl::StrAppend(&a, ProgramText(call_a));
    absl::StrAppend(&b, ProgramText(call_b));
  } else if (a == b) {
    absl::StrAppend(&a, " (", Position(call_a), ")");
    absl::StrAppend(&b, " (", Position(call_b), ")");
  }
  std::string message =
      absl::StrCat("members of one clique are in different collectives: ",
                   Member(member_a, names), " is in ", a, ", ",
                   Member(member_b, names), " is in ", b);
  if (!same_launch || !same_program) {
    absl::StrAppend(
        &message, "; last launches, newest first, of ", Member(member_a, names),
        ": ", RecentLaunches(call_a, names), "; of ", Member(member_b, names),
        ": ", RecentLaunches(call_b, names));
  }
  return absl::FailedPreconditionError(message);
}

}  // namespace lockstep::internal
