// libcopy_counter.so: takes the place of libc's functions that copy.
#include "tests/benchmark/copy_counter.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>

namespace {

lockstep::internal::CopyCounts* Open() {
  const char* const path = std::getenv(lockstep::internal::kCopyCountsVariable);
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* const counts = mmap(nullptr, sizeof(lockstep::internal::CopyCounts),
                            PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return counts == MAP_FAILED
             ? nullptr
             : static_cast<lockstep::internal::CopyCounts*>(counts);
}

lockstep::internal::CopyCounts* counts = nullptr;

__attribute__((constructor)) void Start() { counts = Open(); }

void CountCopy(size_t size) {
  if (size < lockstep::internal::kCountedBytes || counts == nullptr) return;
  counts->copies.fetch_add(1, std::memory_order_relaxed);
  counts->copied_bytes.fetch_add(static_cast<int64_t>(size),
                                 std::memory_order_relaxed);
}

ssize_t CountMoved(ssize_t size) {
  if (size >= static_cast<ssize_t>(lockstep::internal::kCountedBytes) &&
      counts != nullptr) {
    counts->moved_bytes.fetch_add(size, std::memory_order_relaxed);
  }
  return size;
}

template <typename F>
F* Next(F*, const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// Without a call of what they replace.
extern "C" void* memcpy(void* __restrict to, const void* __restrict from,
                        size_t size) noexcept {
  CountCopy(size);
  void* const result = to;
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  return result;
}

extern "C" void* memmove(void* to, const void* from, size_t size) noexcept {
  CountCopy(size);
  void* const result = to;
  if (to <= from ||
      static_cast<char*>(to) >= static_cast<const char*>(from) + size) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return result;
  }
  to = static_cast<char*>(to) + size - 1;
  from = static_cast<const char*>(from) + size - 1;
  asm volatile("std; rep movsb; cld"
               : "+D"(to), "+S"(from), "+c"(size)
               :
               : "memory");
  return result;
}

extern "C" ssize_t recvmsg(int socket, msghdr* message, int flags) {
  static const auto next = Next(&recvmsg, "recvmsg");
  return CountMoved(next(socket, message, flags));
}

extern "C" ssize_t recv(int socket, void* bytes, size_t size, int flags) {
  static const auto next = Next(&recv, "recv");
  return CountMoved(next(socket, bytes, size, flags));
}

// Into a file in another process's memory.
extern "C" ssize_t pwrite(int file, const void* bytes, size_t size,
                          off_t offset) {
  static const auto next = Next(&pwrite, "pwrite");
  return CountMoved(next(file, bytes, size, offset));
}

extern "C" ssize_t process_vm_readv(pid_t process, const iovec* local,
                                    unsigned long local_count,
                                    const iovec* remote,
                                    unsigned long remote_count,
                                    unsigned long flags) noexcept {
  static const auto next = Next(&process_vm_readv, "process_vm_readv");
  return CountMoved(
      next(process, local, local_count, remote, remote_count, flags));
}
