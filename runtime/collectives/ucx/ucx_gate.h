#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_GATE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_GATE_H_

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace lockstep::internal {

// Keeps strangers away from the TCP ports of one UCP worker. UCX trusts whoever
// connects: a few well-chosen bytes end the process by an assertion, it keeps
// silent connections for ever, and stops listening when the process runs out
// of files.
//
// So every connection begins with a hello of ours, before UCX's first byte: a
// mark and a secret of the cluster. ucx_gate.cc takes the place of the few
// functions of libucs by which libuct accepts, connects, and sends and receives
// first; connections of other users of UCX in the process pass through.
// Thread-safe.
class UcxGate {
 public:
  // Secrets may be shorter; what is longer does not count.
  static constexpr size_t kSecretBytes = 64;
  static constexpr size_t kMarkBytes = 8;
  using Hello = std::array<char, kMarkBytes + kSecretBytes>;

  struct Options {
    // Connections whose hello is not here or not known; beyond that many the
    // oldest is closed.
    size_t max_waiting = 256;
    // How long a connection may take to say hello, and how long a hello may
    // wait for its secret to be known: that of a newer epoch comes to us later.
    absl::Duration silent_patience = absl::Seconds(3);
    absl::Duration unknown_patience = absl::Seconds(10);
  };

  UcxGate() : UcxGate(Options()) {}
  explicit UcxGate(const Options& options);
  ~UcxGate();
  UcxGate(const UcxGate&) = delete;
  UcxGate& operator=(const UcxGate&) = delete;

  // While it lives, sockets that UCX opens on this thread belong to `gate`.
  class Scope {
   public:
    explicit Scope(UcxGate* gate);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    UcxGate* const previous_;
  };

  // The first one is shown from here on; all, and the last 64 of earlier calls,
  // are accepted. Before the first call nobody is let in, or gets a hello that
  // others accept.
  void SetSecrets(const std::vector<std::string>& secrets);
  bool has_secrets() const;

  // Whether CloseOverdue may have something to do. Cheap.
  bool has_waiting() const { return waiting_count_.load() > 0; }
  // Ends connections that waited too long. On the thread that drives UCX, which
  // is the one that closes their files.
  void CloseOverdue(absl::Time now);

  // Whether UCX listens through this gate: false, when its functions could not
  // be replaced or it does not use TCP.
  bool is_listening() const;

  // For the replaced functions, from here on.
  void AddListener(int listen_fd);
  // Takes the next connection. -1: none waits.
  int Accept(int listen_fd);
  enum class Verdict { kAdmitted, kWaits, kRefused };
  // Looks at what has come of the hello of `fd`, and takes it off the
  // connection.
  Verdict Judge(int fd);
  Hello OwnHello() const;

  // The gate that a thread's, a listener's, or a waiting connection's sockets
  // belong to, or null.
  static UcxGate* OfThread();
  static UcxGate* OfListener(int listen_fd);

 private:
  struct Waiting {
    int fd;
    ino_t inode;
    absl::Time until;
    std::string hello = {};  // once it is complete
    bool is_partial = false;
    bool is_overdue = false;
  };
  bool IsKnown(absl::string_view hello) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Forget(int fd) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RefuseOneForLackOfFiles(int listen_fd)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  mutable absl::Mutex mutex_;
  std::deque<Hello> known_ ABSL_GUARDED_BY(mutex_);  // the own one first
  std::deque<Waiting> waiting_ ABSL_GUARDED_BY(mutex_);
  std::atomic<size_t> waiting_count_ = 0;
  std::set<int> listeners_ ABSL_GUARDED_BY(mutex_);
  int spare_fd_ ABSL_GUARDED_BY(mutex_) = -1;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_GATE_H_
