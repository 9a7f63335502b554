#include "runtime/collectives/ucx/ucx_replies.h"

#include <dlfcn.h>
#include <ucp/api/ucp.h>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace lockstep::internal {
namespace {

// Of ucp_request_t in UCX 1.13, which has no public layout: the function that
// sends a request, and of a message of set-up its type.
constexpr size_t kSender = 0xe0;
constexpr size_t kType = 0xa8;
constexpr uint8_t kReply = 2;
constexpr uint8_t kAck = 3;  // may be dropped

// What sends messages of set-up; null: not this version.
std::atomic<void*> set_up_sender = nullptr;

// A pending reply becomes something that UCX lets go.
void MakeDroppable(void* request) {
  void* const sender = set_up_sender.load(std::memory_order_relaxed);
  if (sender == nullptr) return;
  char* const bytes = static_cast<char*>(request);
  void* found;
  std::memcpy(&found, bytes + kSender, sizeof found);
  if (found != sender) return;
  uint8_t type;
  std::memcpy(&type, bytes + kType, sizeof type);
  if (type == kReply) std::memcpy(bytes + kType, &kAck, sizeof kAck);
}

}  // namespace

void DropRepliesOfBrokenEndpoints() {
  unsigned major = 0, minor = 0, release = 0;
  ucp_get_version(&major, &minor, &release);
  if (major != 1 || minor != 13) return;
  set_up_sender = dlsym(RTLD_DEFAULT, "ucp_wireup_msg_progress");
}

}  // namespace lockstep::internal

// libucp's function of that name, which ends what waits at a broken endpoint;
// libucp itself finds this one first.
extern "C" void ucp_request_send_state_ff(void* request, ucs_status_t status) {
  static const auto next = reinterpret_cast<void (*)(void*, ucs_status_t)>(
      dlsym(RTLD_NEXT, "ucp_request_send_state_ff"));
  lockstep::internal::MakeDroppable(request);
  next(request, status);
}
