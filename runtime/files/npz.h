#ifndef LOCKSTEP_RUNTIME_FILES_NPZ_H_
#define LOCKSTEP_RUNTIME_FILES_NPZ_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/files/zip_reader.h"
#include "runtime/types/element_type.h"
#include "runtime/types/literal.h"

namespace lockstep {

// NumPy's .npz format (numpy.savez): a ZIP archive of .npy files (npy.h). A
// name is that of the file in the archive without its ".npy".

// An archive that stays open, of which arrays are read one by one. Threads may
// read at the same time.
class NpzFile {
 public:
  // INVALID_ARGUMENT: no archive, a damaged one, or one with a name twice;
  // every message starts with the path.
  static absl::StatusOr<NpzFile> Open(const std::string& path);

  // Ascending.
  std::vector<std::string> names() const;
  // In the order in which they stand in the archive: numpy.savez(path, a, b)
  // writes a first.
  std::vector<std::string> names_as_stored() const;
  // NOT_FOUND: no such name. INVALID_ARGUMENT: it is damaged, or not in .npy's
  // format; UNIMPLEMENTED: an element type or a compression that is not
  // supported. Messages name path and array. `opaque_type` as for ParseNpy.
  absl::StatusOr<Literal> Read(
      absl::string_view name,
      std::optional<ElementType> opaque_type = std::nullopt) const;

 private:
  explicit NpzFile(internal::ZipReader archive)
      : archive_(std::move(archive)) {}

  internal::ZipReader archive_;
  std::map<std::string, size_t, std::less<>> entries_;  // by name
};

// All of its arrays. `opaque_types`: by name, what bytes that say nothing are.
absl::StatusOr<std::map<std::string, Literal>> ReadNpzFile(
    const std::string& path,
    const std::map<std::string, ElementType>& opaque_types = {});

struct NpzOptions {
  // As numpy.savez_compressed.
  bool is_compressed = false;
};
// A reader sees what was there before, or all of the file. INVALID_ARGUMENT: an
// empty name, or one of more than 65531 bytes.
absl::Status WriteNpzFile(const std::string& path,
                          const std::map<std::string, LiteralView>& arrays,
                          const NpzOptions& options = {});

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_FILES_NPZ_H_
