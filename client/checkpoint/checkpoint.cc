#include "client/checkpoint/checkpoint.h"

#include "client/checkpoint/checkpoint_save.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/manifest.h"

namespace lockstep {

using internal::CheckpointSave;

PendingSave::PendingSave(std::unique_ptr<CheckpointSave> save)
    : save_(std::move(save)) {}

PendingSave::PendingSave(PendingSave&& other) noexcept = default;

PendingSave& PendingSave::operator=(PendingSave&& other) noexcept = default;

PendingSave::~PendingSave() = default;

absl::Status PendingSave::Await() {
  if (save_ != nullptr) return save_->Await();
  return absl::FailedPreconditionError("the save was moved from");
}

absl::Status save(const std::string& folder, const Tree<Array>& arrays,
                  const SaveOptions& options) {
  return CheckpointSave(folder, arrays, options, /*in_background=*/false)
      .Await();
}

PendingSave save_async(const std::string& folder, const Tree<Array>& arrays,
                       const SaveOptions& options) {
  return PendingSave(std::make_unique<CheckpointSave>(folder, arrays, options,
                                                      /*in_background=*/true));
}

absl::StatusOr<std::map<std::string, Shape>> checkpoint_shapes(
    const std::string& folder) {
  ASSIGN_OR_RETURN(const internal::Manifest manifest,
                   internal::ReadManifest(folder));
  std::map<std::string, Shape> shapes;
  for (const internal::ManifestArray& array : manifest.arrays) {
    shapes.emplace(array.path, array.shape);
  }
  return shapes;
}

}  // namespace lockstep
