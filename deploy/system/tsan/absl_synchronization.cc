// Tells the thread sanitizer what Abseil's locks order. The system's Abseil is
// not built with the sanitizer, so it would see no order between an Unlock and
// the next Lock. The linker (--wrap) puts these in the place of the calls that
// our objects make; each calls the real one.
#include <sanitizer/tsan_interface.h>

#include <cstdint>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"

using absl::BlockingCounter;
using absl::Condition;
using absl::CondVar;
using absl::Duration;
using absl::Mutex;
using absl::Notification;
using absl::Time;

namespace {

// Evaluates a condition, perhaps on the thread that unlocks, with the mutex
// held and its order known.
struct Ordered {
  Mutex* mutex;
  const Condition* condition;

  static bool Eval(Ordered* ordered) {
    __tsan_acquire(ordered->mutex);
    bool is_true = ordered->condition->Eval();
    __tsan_release(ordered->mutex);
    return is_true;
  }
};

// The word that Notification::HasBeenNotified reads.
void* NotifiedWord(const Notification* notification) {
  return const_cast<char*>(reinterpret_cast<const char*>(notification)) +
         sizeof(Mutex);
}

// Abseil's own detector of lock cycles moves its memory under a lock that
// cannot be wrapped.
[[maybe_unused]] const bool kIsCycleDetectorOff = [] {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  return true;
}();

}  // namespace

#define REAL(symbol) __real_##symbol
#define WRAP(symbol) __wrap_##symbol

// A call that locks: `R name(Mutex*)`.
#define LOCKS(symbol)                \
  void REAL(symbol)(Mutex * mutex);  \
  void WRAP(symbol)(Mutex * mutex) { \
    REAL(symbol)(mutex);             \
    __tsan_acquire(mutex);           \
  }

#define TRIES(symbol)                     \
  bool REAL(symbol)(Mutex * mutex);       \
  bool WRAP(symbol)(Mutex * mutex) {      \
    bool is_locked = REAL(symbol)(mutex); \
    if (is_locked) __tsan_acquire(mutex); \
    return is_locked;                     \
  }

#define UNLOCKS(symbol)              \
  void REAL(symbol)(Mutex * mutex);  \
  void WRAP(symbol)(Mutex * mutex) { \
    __tsan_release(mutex);           \
    REAL(symbol)(mutex);             \
  }

// A call that waits for a condition and returns with the mutex held.
#define AWAITS(symbol)                                           \
  void REAL(symbol)(Mutex * mutex, const Condition& condition);  \
  void WRAP(symbol)(Mutex * mutex, const Condition& condition) { \
    Ordered ordered{mutex, &condition};                          \
    __tsan_release(mutex);                                       \
    REAL(symbol)(mutex, Condition(&Ordered::Eval, &ordered));    \
    __tsan_acquire(mutex);                                       \
  }

#define AWAITS_UNTIL(symbol, End)                                         \
  bool REAL(symbol)(Mutex * mutex, const Condition& condition, End end);  \
  bool WRAP(symbol)(Mutex * mutex, const Condition& condition, End end) { \
    Ordered ordered{mutex, &condition};                                   \
    __tsan_release(mutex);                                                \
    bool is_true =                                                        \
        REAL(symbol)(mutex, Condition(&Ordered::Eval, &ordered), end);    \
    __tsan_acquire(mutex);                                                \
    return is_true;                                                       \
  }

#define WAITS_UNTIL(symbol, End)                                  \
  bool REAL(symbol)(CondVar * variable, Mutex * mutex, End end);  \
  bool WRAP(symbol)(CondVar * variable, Mutex * mutex, End end) { \
    __tsan_release(mutex);                                        \
    bool is_late = REAL(symbol)(variable, mutex, end);            \
    __tsan_acquire(mutex);                                        \
    return is_late;                                               \
  }

#define NOTIFIED_UNTIL(symbol, End)                              \
  bool REAL(symbol)(const Notification* notification, End end);  \
  bool WRAP(symbol)(const Notification* notification, End end) { \
    bool is_notified = REAL(symbol)(notification, end);          \
    if (is_notified) __tsan_acquire(NotifiedWord(notification)); \
    return is_notified;                                          \
  }

extern "C" {

LOCKS(_ZN4absl7debian35Mutex4LockEv)
LOCKS(_ZN4absl7debian35Mutex10ReaderLockEv)
TRIES(_ZN4absl7debian35Mutex7TryLockEv)
UNLOCKS(_ZN4absl7debian35Mutex6UnlockEv)
UNLOCKS(_ZN4absl7debian35Mutex12ReaderUnlockEv)
AWAITS(_ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE)
AWAITS(_ZN4absl7debian35Mutex8LockWhenERKNS0_9ConditionE)
AWAITS(_ZN4absl7debian35Mutex14ReaderLockWhenERKNS0_9ConditionE)
AWAITS_UNTIL(
    _ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE,
    Duration)
AWAITS_UNTIL(
    _ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE, Time)
AWAITS_UNTIL(
    _ZN4absl7debian35Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE,
    Duration)
AWAITS_UNTIL(
    _ZN4absl7debian35Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE,
    Time)
WAITS_UNTIL(
    _ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE,
    Duration)
WAITS_UNTIL(_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE,
            Time)
NOTIFIED_UNTIL(
    _ZNK4absl7debian312Notification30WaitForNotificationWithTimeoutENS0_8DurationE,
    Duration)
NOTIFIED_UNTIL(
    _ZNK4absl7debian312Notification31WaitForNotificationWithDeadlineENS0_4TimeE,
    Time)

void REAL(_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE)(CondVar*, Mutex*);
void WRAP(_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE)(CondVar* variable,
                                                      Mutex* mutex) {
  __tsan_release(mutex);
  REAL(_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE)(variable, mutex);
  __tsan_acquire(mutex);
}

void REAL(_ZN4absl7debian312Notification6NotifyEv)(Notification*);
void WRAP(_ZN4absl7debian312Notification6NotifyEv)(Notification* notification) {
  __tsan_release(NotifiedWord(notification));
  REAL(_ZN4absl7debian312Notification6NotifyEv)(notification);
}

void REAL(_ZNK4absl7debian312Notification19WaitForNotificationEv)(
    const Notification*);
void WRAP(_ZNK4absl7debian312Notification19WaitForNotificationEv)(
    const Notification* notification) {
  REAL(_ZNK4absl7debian312Notification19WaitForNotificationEv)(notification);
  __tsan_acquire(NotifiedWord(notification));
}

bool REAL(_ZN4absl7debian315BlockingCounter14DecrementCountEv)(
    BlockingCounter*);
bool WRAP(_ZN4absl7debian315BlockingCounter14DecrementCountEv)(
    BlockingCounter* counter) {
  __tsan_release(counter);
  return REAL(_ZN4absl7debian315BlockingCounter14DecrementCountEv)(counter);
}

void REAL(_ZN4absl7debian315BlockingCounter4WaitEv)(BlockingCounter*);
void WRAP(_ZN4absl7debian315BlockingCounter4WaitEv)(BlockingCounter* counter) {
  REAL(_ZN4absl7debian315BlockingCounter4WaitEv)(counter);
  __tsan_acquire(counter);
}

// Copies of a status share what it says, and the last one deletes that.
void REAL(_ZN4absl7debian36Status15UnrefNonInlinedEm)(uintptr_t shared);
void WRAP(_ZN4absl7debian36Status15UnrefNonInlinedEm)(uintptr_t shared) {
  // Without the bits that tell a pointer from a code.
  void* const address = reinterpret_cast<void*>(shared & ~uintptr_t{3});
  __tsan_release(address);
  __tsan_acquire(address);
  REAL(_ZN4absl7debian36Status15UnrefNonInlinedEm)(shared);
}

}  // extern "C"
