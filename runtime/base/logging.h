#ifndef LOCKSTEP_RUNTIME_BASE_LOGGING_H_
#define LOCKSTEP_RUNTIME_BASE_LOGGING_H_

#include <functional>
#include <string>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

enum class LogSeverity { kDebug, kInfo, kWarning, kError };

// Writes one line to the log sink: by default standard error, as
// "I 12:34:56.789 name] message", from LOCKSTEP_LOG_LEVEL (debug, info,
// warning, error; default warning) upwards. Thread-safe; a line is never torn.
void Log(LogSeverity severity, absl::string_view message);

// The name that stands in every line of this process ("coordinator",
// "host 3 (gpu03)"). Empty by default.
void SetLogName(absl::string_view name);

// Lines below `severity` are dropped.
void SetMinLogSeverity(LogSeverity severity);

using LogSink = std::function<void(LogSeverity, absl::string_view line)>;
// Replaces the sink; nullptr restores standard error.
void SetLogSink(LogSink sink);

inline void LogDebug(absl::string_view m) { Log(LogSeverity::kDebug, m); }
inline void LogInfo(absl::string_view m) { Log(LogSeverity::kInfo, m); }
inline void LogWarning(absl::string_view m) { Log(LogSeverity::kWarning, m); }
inline void LogError(absl::string_view m) { Log(LogSeverity::kError, m); }

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_LOGGING_H_
