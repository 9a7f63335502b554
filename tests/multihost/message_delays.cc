// Preloaded into the processes of a test, it holds some messages up on their
// way out or in, each thread by chance of its own: what one connection brings
// comes before what another one does in orders that a quiet machine never
// shows.
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>
#include <time.h>

#include <random>

namespace {

template <typename F>
F* Next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

// Most pass at once, one in three waits a little, one in fifty much longer than
// any message takes.
void Delay() {
  thread_local std::minstd_rand random(std::random_device{}());
  const int percent = std::uniform_int_distribution(0, 99)(random);
  if (percent < 70) return;
  const int longest_us = percent < 90 ? 300 : percent < 98 ? 3'000 : 20'000;
  const int us = std::uniform_int_distribution(0, longest_us)(random);
  const timespec pause = {0, us * 1'000L};
  const int error = errno;  // of the call before
  nanosleep(&pause, nullptr);
  errno = error;
}

}  // namespace

extern "C" {

// gRPC's.
ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  static auto* const next = Next<decltype(sendmsg)>("sendmsg");
  Delay();
  return next(fd, message, flags);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
  static auto* const next = Next<decltype(recvmsg)>("recvmsg");
  const ssize_t received = next(fd, message, flags);
  Delay();
  return received;
}

// UCX's, over TCP.
ssize_t send(int fd, const void* bytes, size_t size, int flags) {
  static auto* const next = Next<decltype(send)>("send");
  Delay();
  return next(fd, bytes, size, flags);
}

ssize_t recv(int fd, void* bytes, size_t size, int flags) {
  static auto* const next = Next<decltype(recv)>("recv");
  const ssize_t received = next(fd, bytes, size, flags);
  Delay();
  return received;
}

}  // extern "C"
