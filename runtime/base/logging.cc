#include "runtime/base/logging.h"

#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace lockstep::internal {
namespace {

LogSeverity SeverityFromEnvironment() {
  const char* value = std::getenv("LOCKSTEP_LOG_LEVEL");
  absl::string_view level = value == nullptr ? "" : value;
  if (level == "debug") return LogSeverity::kDebug;
  if (level == "info") return LogSeverity::kInfo;
  if (level == "error") return LogSeverity::kError;
  return LogSeverity::kWarning;
}

struct Logger {
  absl::Mutex mutex;
  std::string name ABSL_GUARDED_BY(mutex);
  LogSink sink ABSL_GUARDED_BY(mutex);
  LogSeverity min_severity ABSL_GUARDED_BY(mutex) = SeverityFromEnvironment();
};

Logger& GetLogger() {
  static Logger* const logger = new Logger;
  return *logger;
}

void WriteToStandardError(absl::string_view line) {
  while (!line.empty()) {
    ssize_t written = write(STDERR_FILENO, line.data(), line.size());
    if (written <= 0) return;
    line.remove_prefix(written);
  }
}

}  // namespace

void Log(LogSeverity severity, absl::string_view message) {
  Logger& logger = GetLogger();
  absl::MutexLock lock(&logger.mutex);
  if (severity < logger.min_severity) return;
  std::string line = absl::StrCat(
      absl::string_view("DIWE").substr(static_cast<int>(severity), 1), " ",
      absl::FormatTime("%H:%M:%E3S", absl::Now(), absl::LocalTimeZone()),
      logger.name.empty() ? "" : " ", logger.name, "] ", message, "\n");
  if (logger.sink) {
    logger.sink(severity, line);
  } else {
    WriteToStandardError(line);
  }
}

void SetLogName(absl::string_view name) {
  Logger& logger = GetLogger();
  absl::MutexLock lock(&logger.mutex);
  logger.name = std::string(name);
}

void SetMinLogSeverity(LogSeverity severity) {
  Logger& logger = GetLogger();
  absl::MutexLock lock(&logger.mutex);
  logger.min_severity = severity;
}

void SetLogSink(LogSink sink) {
  Logger& logger = GetLogger();
  absl::MutexLock lock(&logger.mutex);
  logger.sink = std::move(sink);
}

}  // namespace lockstep::internal
