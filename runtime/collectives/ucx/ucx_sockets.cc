#include "runtime/collectives/ucx/ucx_sockets.h"

#include <dlfcn.h>
#include <sys/socket.h>
#include <ucs/type/status.h>
#include <unistd.h>

#include <atomic>

#include "runtime/collectives/ucx/ucx_gate.h"

namespace lockstep::internal {
namespace {

// By the number of a socket: the gate that holds it, or null; the gate in whose
// name it has yet to say hello, or null. Looked at for every receive, so
// without a lock.
constexpr int kMaxSockets = 1 << 17;
std::atomic<UcxGate*> gates[kMaxSockets];
std::atomic<UcxGate*> greeters[kMaxSockets];

bool IsCounted(int fd) { return fd >= 0 && fd < kMaxSockets; }

// libucs's own function of that name.
template <typename Function>
Function Next(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

bool HoldUcxSocket(int fd, UcxGate* gate) {
  if (!IsCounted(fd)) return false;
  gates[fd].store(gate);
  greeters[fd].store(nullptr);
  return true;
}

void ReleaseUcxSocket(int fd, UcxGate* gate) {
  if (!IsCounted(fd)) return;
  gates[fd].compare_exchange_strong(gate, nullptr);
}

}  // namespace lockstep::internal

// libucs's own header is not self-contained in C++.
extern "C" {

ucs_status_t ucs_socket_server_init(const struct sockaddr* address,
                                    socklen_t size, int backlog,
                                    int silent_bind, int reuses_address,
                                    int* listen_fd) {
  static const auto next = lockstep::internal::Next(&ucs_socket_server_init,
                                                    "ucs_socket_server_init");
  const ucs_status_t status =
      next(address, size, backlog, silent_bind, reuses_address, listen_fd);
  lockstep::internal::UcxGate* const gate =
      lockstep::internal::UcxGate::OfThread();
  if (status == UCS_OK && gate != nullptr) gate->AddListener(*listen_fd);
  return status;
}

ucs_status_t ucs_socket_accept(int listen_fd, struct sockaddr* address,
                               socklen_t* size, int* accepted_fd) {
  static const auto next =
      lockstep::internal::Next(&ucs_socket_accept, "ucs_socket_accept");
  lockstep::internal::UcxGate* const gate =
      lockstep::internal::UcxGate::OfListener(listen_fd);
  if (gate == nullptr) {
    const ucs_status_t status = next(listen_fd, address, size, accepted_fd);
    if (status == UCS_OK && lockstep::internal::IsCounted(*accepted_fd)) {
      lockstep::internal::gates[*accepted_fd].store(nullptr);
      lockstep::internal::greeters[*accepted_fd].store(nullptr);
    }
    return status;
  }
  while (true) {
    *accepted_fd = gate->Accept(listen_fd);
    // Any other error would make UCX stop listening.
    if (*accepted_fd < 0) return UCS_ERR_NO_PROGRESS;
    if (getpeername(*accepted_fd, address, size) == 0) return UCS_OK;
    // It has hung up; the number is free for the next one.
    lockstep::internal::ReleaseUcxSocket(*accepted_fd, gate);
    close(*accepted_fd);
  }
}

ucs_status_t ucs_socket_connect(int fd, const struct sockaddr* address) {
  static const auto next =
      lockstep::internal::Next(&ucs_socket_connect, "ucs_socket_connect");
  if (lockstep::internal::IsCounted(fd)) {
    lockstep::internal::gates[fd].store(nullptr);
    lockstep::internal::greeters[fd].store(
        lockstep::internal::UcxGate::OfThread());
  }
  return next(fd, address);
}

// By which UCX sends what opens a connection; all else goes another way.
ucs_status_t ucs_socket_send(int fd, const void* data, size_t length) {
  static const auto next =
      lockstep::internal::Next(&ucs_socket_send, "ucs_socket_send");
  if (lockstep::internal::IsCounted(fd)) {
    if (auto* gate = lockstep::internal::greeters[fd].exchange(nullptr)) {
      const lockstep::internal::UcxGate::Hello hello = gate->OwnHello();
      const ucs_status_t status = next(fd, hello.data(), hello.size());
      if (status != UCS_OK) return status;
    }
  }
  return next(fd, data, length);
}

ucs_status_t ucs_socket_recv_nb(int fd, void* data, size_t* length) {
  static const auto next =
      lockstep::internal::Next(&ucs_socket_recv_nb, "ucs_socket_recv_nb");
  lockstep::internal::UcxGate* const gate =
      lockstep::internal::IsCounted(fd)
          ? lockstep::internal::gates[fd].load(std::memory_order_relaxed)
          : nullptr;
  if (gate != nullptr) {
    switch (gate->Judge(fd)) {
      case lockstep::internal::UcxGate::Verdict::kAdmitted:
        break;
      case lockstep::internal::UcxGate::Verdict::kWaits:
        *length = 0;
        return UCS_ERR_NO_PROGRESS;
      case lockstep::internal::UcxGate::Verdict::kRefused:
        *length = 0;
        return UCS_ERR_NOT_CONNECTED;  // as if it had hung up
    }
  }
  return next(fd, data, length);
}

}  // extern "C"
