"""Linker options that put absl_synchronization.cc in front of Abseil."""

_SYMBOLS = [
    "_ZN4absl7debian312Notification6NotifyEv",
    "_ZN4absl7debian315BlockingCounter14DecrementCountEv",
    "_ZN4absl7debian315BlockingCounter4WaitEv",
    "_ZN4absl7debian35Mutex10ReaderLockEv",
    "_ZN4absl7debian35Mutex12ReaderUnlockEv",
    "_ZN4absl7debian35Mutex14ReaderLockWhenERKNS0_9ConditionE",
    "_ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE",
    "_ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE",
    "_ZN4absl7debian35Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_8DurationE",
    "_ZN4absl7debian35Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_4TimeE",
    "_ZN4absl7debian35Mutex4LockEv",
    "_ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE",
    "_ZN4absl7debian35Mutex6UnlockEv",
    "_ZN4absl7debian35Mutex7TryLockEv",
    "_ZN4absl7debian35Mutex8LockWhenERKNS0_9ConditionE",
    "_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE",
    "_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE",
    "_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE",
    "_ZN4absl7debian36Status15UnrefNonInlinedEm",
    "_ZNK4absl7debian312Notification19WaitForNotificationEv",
    "_ZNK4absl7debian312Notification30WaitForNotificationWithTimeoutENS0_8DurationE",
    "_ZNK4absl7debian312Notification31WaitForNotificationWithDeadlineENS0_4TimeE",
]

WRAP_LINKOPTS = ["-Wl,--wrap=" + symbol for symbol in _SYMBOLS]
