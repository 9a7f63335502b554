#ifndef LOCKSTEP_RUNTIME_FILES_SAFETENSORS_H_
#define LOCKSTEP_RUNTIME_FILES_SAFETENSORS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/regular_file.h"
#include "runtime/types/box.h"
#include "runtime/types/literal.h"

namespace lockstep {

// The safetensors format (github.com/huggingface/safetensors): the length of a
// header in 8 bytes, the header in JSON, then the bytes of the tensors without
// gaps, little-endian and row-major. Element types are those that both have;
// F8_E4M3 is f8E4M3FN. Types of 4 and 6 bits, of which a byte has parts of two,
// are UNIMPLEMENTED, as complex<f64> and integers of 2 and 4 bits are in files
// to write.

// A file that stays open, of which tensors are read one by one. Threads may
// read at the same time.
class SafetensorsFile {
 public:
  // Reads the header. INVALID_ARGUMENT: it is longer than 100 MB or than the
  // file, no JSON, has a name twice; shapes, offsets and the size of the file
  // do not fit each other; UNIMPLEMENTED: an element type. Messages start with
  // the path and name the tensor.
  static absl::StatusOr<SafetensorsFile> Open(const std::string& path);

  struct Entry {
    Shape shape;
    int64_t offset = 0;  // in the file, in bytes
  };
  const std::map<std::string, Entry, std::less<>>& tensors() const {
    return tensors_;
  }
  // What the file says of itself, in words.
  const std::map<std::string, std::string>& metadata() const {
    return metadata_;
  }
  // NOT_FOUND: no such tensor.
  absl::StatusOr<Literal> Read(absl::string_view name) const;
  // The elements of `box`, which lies in the tensor; reads nothing else.
  absl::StatusOr<Literal> ReadBox(absl::string_view name,
                                  const internal::Box& box) const;

 private:
  SafetensorsFile(std::string path, internal::RegularFile file)
      : path_(std::move(path)), file_(std::move(file)) {}
  absl::Status ParseHeader(absl::string_view text, int64_t data_begin);
  absl::Status CheckOffsets(int64_t data_begin) const;
  absl::StatusOr<const Entry*> Find(absl::string_view name) const;
  absl::Status Wrong(absl::string_view what) const;

  std::string path_;
  internal::RegularFile file_;
  std::map<std::string, Entry, std::less<>> tensors_;
  std::map<std::string, std::string> metadata_;
};

// All of its tensors.
absl::StatusOr<std::map<std::string, Literal>> ReadSafetensorsFile(
    const std::string& path);

// A reader sees what was there before, or all of the file. INVALID_ARGUMENT: a
// name that is no UTF-8, or "__metadata__".
absl::Status WriteSafetensorsFile(
    const std::string& path, const std::map<std::string, LiteralView>& tensors,
    const std::map<std::string, std::string>& metadata = {});

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_FILES_SAFETENSORS_H_
