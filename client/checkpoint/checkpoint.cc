#include "client/checkpoint/checkpoint.h"

#include <memory>
#include <utility>

#include "client/checkpoint/checkpoint_save.h"

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

}  // namespace lockstep
