// Starts a child that would run for long, says its pid, and waits.
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "client/process/child_process.h"

int main() {
  auto ready = lockstep::internal::ReadySignal::FromEnvironment();
  lockstep::internal::ChildProcess::Options options;
  options.name = "child";
  options.arguments = {"/bin/sleep", "1000"};
  auto child = lockstep::internal::ChildProcess::Spawn(options);
  if (!child.ok()) {
    ready.Failed(child.status());
    return 1;
  }
  ready.Ready(absl::StrCat(child->pid()));
  pause();
}
