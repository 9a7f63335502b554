#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_PARTITIONING_TESTING_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_PARTITIONING_TESTING_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/logging.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partitioning/local_chunker.h"

namespace lockstep::internal {

inline LocalChunker ChunkerOf(const Mesh& mesh, int32_t host) {
  return *LocalChunker::Create(mesh, HostId(host));
}

// What is logged while it lives, from warnings upwards. One at a time.
class CapturedLog {
 public:
  CapturedLog() {
    SetLogSink([this](LogSeverity severity, absl::string_view line) {
      std::string& text = severity == LogSeverity::kError ? errors_ : warnings_;
      absl::StrAppend(&text, line, "\n");
    });
  }
  ~CapturedLog() { SetLogSink(nullptr); }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;

  const std::string& warnings() const { return warnings_; }
  const std::string& errors() const { return errors_; }

 private:
  std::string warnings_;
  std::string errors_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_PARTITIONING_TESTING_H_
