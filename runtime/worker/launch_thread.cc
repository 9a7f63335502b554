#include "runtime/worker/launch_thread.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace lockstep {

std::shared_ptr<const LaunchThread::Thread> LaunchThread::Current() {
  thread_local const std::shared_ptr<const Thread> current = [] {
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof(name));
    return std::make_shared<const Thread>(
        Thread{absl::StrCat("thread ", syscall(SYS_gettid), " (", name, ")")});
  }();
  return current;
}

absl::Status LaunchThread::Claim() {
  const std::shared_ptr<const Thread> current = Current();
  absl::MutexLock lock(&mutex_);
  const std::shared_ptr<const Thread> owner = owner_.lock();
  if (owner == nullptr) {
    owner_ = current;
    return absl::OkStatus();
  }
  if (owner == current) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "programs that span several hosts must be launched by one thread, so "
      "that every host launches in one order: ",
      owner->name, " does, and ", current->name,
      " tried; launch from the first thread, or let it end"));
}

}  // namespace lockstep
