#ifndef LOCKSTEP_TESTS_MULTIHOST_STRANGERS_H_
#define LOCKSTEP_TESTS_MULTIHOST_STRANGERS_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace lockstep::internal {

// The TCP ports of 127.0.0.1 on which a process listens.
std::vector<int> ListeningPorts(pid_t process);

// How many files a process has open.
int OpenFiles(pid_t process);

// Connections of somebody who does not belong to the cluster. Closed by the
// destructor.
class Strangers {
 public:
  Strangers() = default;
  ~Strangers();
  Strangers(const Strangers&) = delete;
  Strangers& operator=(const Strangers&) = delete;

  // Connects to `port` `count` times and says different things that make no
  // sense, the same in every run: nothing, random bytes, the beginnings of
  // HTTP/2, TLS and UCX followed by garbage. Does not wait for answers.
  void Harass(int port, int count);
  // Waits until the other side has closed all connections; how many it had not
  // after half a minute.
  int AwaitClosed();

 private:
  std::vector<int> connections_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_STRANGERS_H_
