#ifndef LOCKSTEP_RUNTIME_CHECKPOINT_CHECKPOINT_FOLDER_H_
#define LOCKSTEP_RUNTIME_CHECKPOINT_CHECKPOINT_FOLDER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/checkpoint/manifest.h"

namespace lockstep::internal {

// A folder has one checkpoint: its manifest, and the files with shards that the
// manifest names. Such a file is written once, under a name that no other has;
// so what a manifest names is never written over, and a save that ends early
// leaves only files that no manifest names.

// "shards.0123456789abcdef.bin", by chance.
std::string NewShardFileName();
bool IsShardFileName(absl::string_view name);

// A save to a folder, of which this process has one at a time.
class FolderLease {
 public:
  // Makes the folder. FAILED_PRECONDITION: another save has it.
  static absl::StatusOr<std::unique_ptr<const FolderLease>> Take(
      const std::string& folder);
  // Of a folder that other processes see, by its absolute path.
  static absl::StatusOr<std::unique_ptr<const FolderLease>> TakeElsewhere(
      const std::string& folder);
  ~FolderLease();

 private:
  static absl::StatusOr<std::unique_ptr<const FolderLease>> TakeKey(
      const std::string& folder, std::string key);
  explicit FolderLease(std::string key) : key_(std::move(key)) {}

  const std::string key_;
};

// Makes `manifest`, whose files are written, that of the folder: at once, and
// on the disk when this returns. Then removes all that earlier saves have left.
// When it fails what was there before is still the folder's checkpoint, and the
// files of `manifest` are removed; unless it is not known which of both it is.
absl::Status PutInPlace(const std::string& folder, const Manifest& manifest);

// The files of `manifest`, which is not in place.
void RemoveShardFiles(const std::string& folder, const Manifest& manifest);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CHECKPOINT_CHECKPOINT_FOLDER_H_
