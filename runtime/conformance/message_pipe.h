#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_MESSAGE_PIPE_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_MESSAGE_PIPE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// One end of a stream of messages between two processes. Blocking. Used by one
// thread. Owns its file descriptor.
class MessagePipe {
 public:
  explicit MessagePipe(int fd) : fd_(fd) {}
  ~MessagePipe() { Close(); }
  MessagePipe(MessagePipe&& other) noexcept;
  MessagePipe& operator=(MessagePipe&& other) noexcept;

  int fd() const { return fd_; }
  void Close();

  // False: the other end is gone.
  bool Write(absl::string_view message);
  bool Read(std::string& message);

 private:
  int fd_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_MESSAGE_PIPE_H_
