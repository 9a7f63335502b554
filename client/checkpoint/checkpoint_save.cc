#include "client/checkpoint/checkpoint_save.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "client/global_arrays/array_assembly.h"
#include "client/global_arrays/host_exchange.h"
#include "client/global_arrays/ragged_exchange.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

constexpr char kCall[] = "save";
// Of all saves; what they say is compared by agreement.
constexpr uint64_t kSaveDigest = 5;

}  // namespace

CheckpointSave::CheckpointSave(std::string folder, const Tree<Array>& arrays,
                               const SaveOptions& options, bool in_background)
    : folder_(std::move(folder)), options_(options) {
  written_ = Begin(arrays, in_background);
}

absl::Status CheckpointSave::Begin(const Tree<Array>& arrays,
                                   bool in_background) {
  ASSIGN_OR_RETURN(std::shared_ptr<View> view,
                   ViewOf({.view = options_.view}, kCall));
  hosts_ = SavingHosts(std::move(view), arrays);
  if (!hosts_->has_caller()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const auto of_hosts, hosts_->FindHostFolder(folder_));
  if (of_hosts.has_value()) {
    return BeginOnHosts(*of_hosts, arrays, in_background);
  }
  ASSIGN_OR_RETURN(lease_, FolderLease::Take(folder_));
  ASSIGN_OR_RETURN(plan_, PlanSave(*hosts_, arrays));
  if (!in_background) {
    return WriteShards(folder_, plan_.sources, plan_.manifest);
  }
  RETURN_IF_ERROR(CopyToHost(plan_));
  writer_ = std::thread([this] {
    SetThreadName("checkpoint");
    written_later_ = WriteShards(folder_, plan_.sources, plan_.manifest);
    plan_.sources.clear();
  });
  return absl::OkStatus();
}

absl::Status CheckpointSave::BeginOnHosts(const CallHosts::HostFolder& folder,
                                          const Tree<Array>& arrays,
                                          bool in_background) {
  ASSIGN_OR_RETURN(lease_, FolderLease::TakeElsewhere(folder.path));
  by_hosts_ = std::make_unique<HostSave>(folder.hosts, folder.path, *hosts_);
  RETURN_IF_ERROR(by_hosts_->Plan(arrays));
  if (!in_background) return by_hosts_->Write(nullptr);
  auto copied = std::make_shared<absl::Notification>();
  writer_ = std::thread([this, copied] {
    SetThreadName("checkpoint");
    written_later_ = by_hosts_->Write([&] { copied->Notify(); });
    if (!copied->HasBeenNotified()) copied->Notify();
  });
  copied->WaitForNotification();
  return absl::OkStatus();
}

CheckpointSave::~CheckpointSave() {
  JoinWriter();
  if (!result_.has_value()) RemoveOwnFiles();
}

void CheckpointSave::JoinWriter() {
  if (!writer_.joinable()) return;
  writer_.join();
  written_.Update(written_later_);
}

absl::Status CheckpointSave::Await() {
  if (result_.has_value()) return *result_;
  JoinWriter();
  result_ = Annotate(Commit(), kCall);
  if (!result_->ok()) RemoveOwnFiles();
  lease_.reset();
  return *result_;
}

absl::Status CheckpointSave::Commit() {
  if (!hosts_.has_value()) return written_;
  if (!hosts_->has_caller()) return absl::OkStatus();
  if (hosts_->has_others()) return CommitWithOthers();
  RETURN_IF_ERROR(written_);
  if (by_hosts_ != nullptr) return by_hosts_->PutInPlace();
  RETURN_IF_ERROR(CheckIsComplete(plan_.manifest));
  is_handed_over_ = true;
  return PutInPlace(folder_, plan_.manifest);
}

absl::Status CheckpointSave::CommitWithOthers() {
  RETURN_IF_ERROR(Agree(plan_.fields, written_));
  const absl::StatusOr<Manifest> manifest = Gather();
  absl::Status status = manifest.status();
  if (status.ok() && hosts_->is_caller_first()) {
    status = CheckIsComplete(*manifest);
    if (status.ok()) {
      is_handed_over_ = true;
      status = PutInPlace(folder_, *manifest);
    }
  }
  const absl::Status agreed = Agree({}, status);
  return status.ok() ? agreed : status;
}

absl::Status CheckpointSave::Agree(std::vector<AgreementRecord::Field> fields,
                                   const absl::Status& error) {
  return hosts_->Agree(kCall, kSaveDigest, options_.sequence, std::move(fields),
                       error);
}

absl::StatusOr<Manifest> CheckpointSave::Gather() {
  ExchangeOptions options;
  options.sequence = options_.sequence;
  options.view = hosts_->view();
  for (HostId host : hosts_->hosts()) options.hosts.push_back(host.value());
  const absl::StatusOr<std::string> text = FormatManifest(plan_.manifest);
  const bool is_first = hosts_->is_caller_first();
  // Without a text, too: other hosts wait for this one. While one lacks it
  // nobody puts anything in place, and all remove what they wrote.
  RETURN_IF_ERROR(Agree({}, text.status()));
  // From here on the first host may put what this one wrote in place.
  is_handed_over_ = !is_first;
  ASSIGN_OR_RETURN(const std::vector<Array> texts,
                   process_allgather_ragged(bytes_to_array(*text), options));
  if (!is_first) return Manifest();
  std::vector<Manifest> parts;
  for (HostId host : hosts_->hosts()) {
    ASSIGN_OR_RETURN(const std::string part,
                     array_to_bytes(texts[parts.size()]));
    ASSIGN_OR_RETURN(
        parts.emplace_back(),
        ParseManifest(part, absl::StrCat("the manifest of ",
                                         hosts_->view()->HostText(host))));
  }
  return MergeManifests(parts);
}

void CheckpointSave::RemoveOwnFiles() {
  if (by_hosts_ != nullptr) by_hosts_->GiveUp();
  if (!is_handed_over_) RemoveShardFiles(folder_, plan_.manifest);
}

}  // namespace lockstep::internal
