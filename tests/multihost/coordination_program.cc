// One host of the host view that meets others, and tells them something,
// outside of programs. Joins the cluster by its environment and runs the
// scenario that its argument names; prints one line per result.
#include <signal.h>

#include <iostream>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/notification.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kLong = absl::Seconds(60);
constexpr absl::Duration kShort = absl::Milliseconds(50);

void Print(const std::string& line) { std::cout << line << std::endl; }

template <typename T>
std::string Text(const absl::StatusOr<T>& value) {
  return value.ok() ? absl::StrCat(*value) : StatusLine(value.status());
}

std::string Text(const absl::StatusOr<std::vector<KeyValue>>& pairs) {
  if (!pairs.ok()) return StatusLine(pairs.status());
  return absl::StrJoin(*pairs, " ", [](std::string* out, const KeyValue& pair) {
    absl::StrAppend(out, pair.key, "=", pair.value);
  });
}

// Of three hosts.
void Barriers() {
  Print(StatusLine(Barrier("all")));
  Print(StatusLine(Barrier("all")));
  const bool is_of_pair = host_id() != 1;
  if (is_of_pair) Print(StatusLine(Barrier("pair", {.hosts = {0, 2}})));
  Print(StatusLine(Barrier("all")));
  // Without host 1, which comes later.
  if (host_id() == 1) {
    Print(Text((*key_value_store())->Get("missed", kLong)));
    Print(StatusLine(Barrier("missed", {.deadline = kLong})));
  } else {
    Print(StatusLine(Barrier("missed", {.deadline = kShort})));
    if (host_id() == 0) {
      Print(StatusLine((*key_value_store())->Put("missed", "yes").status()));
    }
  }
  Print(StatusLine(Barrier("unknown", {.hosts = {host_id(), 7}})));
  Print(StatusLine(Barrier("all")));
}

void Keys() {
  const auto store = key_value_store();
  if (!store.ok()) return Print(StatusLine(store.status()));
  KeyValueStore& keys = **store;
  if (host_id() == 0) {
    for (const auto& [key, value] :
         {std::pair{"a/b", "1"}, {"/a//c/d/", "2"}, {"ab", "3"}}) {
      Print(StatusLine(keys.Put(key, value).status()));
    }
  }
  // Who is first waits.
  Print(Text(keys.Get("ab", kLong)));
  Print(Text(keys.List("a")));
  Print(StatusLine(keys.Put("a/b", "4").status()));
  Print(Text(keys.TryGet("nothing")));
  Print(Text(keys.Get("nothing", absl::ZeroDuration())));
  Print(StatusLine(Barrier("before increments")));
  Print(StatusLine(keys.Increment("count", 2).status()));
  Print(StatusLine(Barrier("after increments")));
  Print(Text(keys.Get("count", kLong)));
  if (host_id() == 1) Print(StatusLine(keys.Delete("a")));
  Print(StatusLine(Barrier("after delete")));
  Print(Text(keys.List("")));
}

// Host 1 says what it does, for which host 0 waits in vain.
void BusyHost() {
  KeyValueStore& keys = **key_value_store();
  if (host_id() == 1) {
    Print(StatusLine(Busy("writing a checkpoint", absl::Minutes(10))));
    Print(StatusLine(keys.Put("busy", "yes").status()));
    Print(Text(keys.Get("waited", kLong)));
    Print(StatusLine(Busy("writing a checkpoint", absl::ZeroDuration())));
    Print(StatusLine(keys.Put("over", "yes").status()));
    Print(Text(keys.Get("waited again", kLong)));
    Print(StatusLine(Busy("", kLong)));
    Print(StatusLine(Busy("going back", -kLong)));
    return;
  }
  Print(Text(keys.Get("busy", kLong)));
  Print(StatusLine(Barrier("not now", {.deadline = kShort})));
  Print(StatusLine(keys.Put("waited", "yes").status()));
  Print(Text(keys.Get("over", kLong)));
  Print(StatusLine(Barrier("not yet", {.deadline = absl::ZeroDuration()})));
  Print(StatusLine(keys.Put("waited again", "yes").status()));
}

std::string Text(const FailureEvent& event) {
  const auto kind = [&] {
    switch (event.kind) {
      case FailureEvent::Kind::kHostNamed:
        return "named";
      case FailureEvent::Kind::kLinkCut:
        return "link";
      case FailureEvent::Kind::kCallFailed:
        return "call";
      case FailureEvent::Kind::kHostLost:
        return "lost";
      case FailureEvent::Kind::kCoordinatorLost:
        return "coordinator";
    }
    return "";
  };
  return absl::StrCat(
      kind(), " ",
      event.host.has_value()
          ? absl::StrCat(event.host->host_id, "=", event.host->name)
          : "nobody",
      " ", StatusLine(event.status));
}

// Host 1 of three is killed; the others hear of it.
void Killed() {
  absl::Notification is_lost;
  std::optional<FailureListener> second;
  second.emplace([&](const FailureEvent&) { second.reset(); });
  const FailureListener listener([&](const FailureEvent& event) {
    if (event.kind != FailureEvent::Kind::kHostLost) return;
    Print(Text(event));
    // It may make calls.
    Print(absl::StrCat(live_hosts()->size(), " are left"));
    is_lost.Notify();
  });
  Print(StatusLine(Barrier("before")));
  if (host_id() == 1) raise(SIGKILL);
  is_lost.WaitForNotification();
  Print(second.has_value() ? "still there" : "removed by itself");
  Print(StatusLine(Barrier("after", {.hosts = {0, 2}})));
}

// The function of host 1 fails, for which host 0 waits.
void FailedCall() {
  absl::Notification has_failed;
  const FailureListener listener([&](const FailureEvent& event) {
    if (event.kind != FailureEvent::Kind::kCallFailed) return;
    Print(Text(event));
    if (!has_failed.HasBeenNotified()) has_failed.Notify();
  });
  const auto f = pmap(
      [](Tensor x) {
        return psum(pure_callback(
                        [](const Literal& x) -> absl::StatusOr<Literal> {
                          if (host_id() == 1) {
                            return absl::DataLossError("the file is torn");
                          }
                          return x;
                        },
                        Shape(ElementType::kF32, {}), {x}),
                    "i");
      },
      {.axis_name = "i"});
  const auto sum = f(Array({1.f}));
  Print(StatusLine(sum.ok() ? sum->Fetch().status() : sum.status()));
  if (host_id() == 0) has_failed.WaitForNotification();
  Print(StatusLine(Barrier("end")));
}

void AfterShutdown() {
  const auto store = key_value_store();
  Print(StatusLine(Barrier("together")));
  Print(StatusLine(Shutdown()));
  Print(StatusLine(Barrier("too late")));
  Print(StatusLine(Busy("nothing", kLong)));
  Print(StatusLine(key_value_store().status()));
  Print(StatusLine((*store)->Put("a", "b").status()));
  Print(Text((*store)->Get("a", kLong)));
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"barriers", Barriers},      {"keys", Keys},
      {"busy", BusyHost},          {"killed", Killed},
      {"failed_call", FailedCall}, {"after_shutdown", AfterShutdown},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
