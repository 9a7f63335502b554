#ifndef LOCKSTEP_TESTS_BENCHMARK_HTTP2_CALLS_H_
#define LOCKSTEP_TESTS_BENCHMARK_HTTP2_CALLS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"

typedef struct nghttp2_session nghttp2_session;

namespace lockstep::internal {

// Calls of a gRPC service without gRPC: what loads a server with thousands of
// clients must cost far less than the server. All connections belong to one
// thread, which everything here runs on but what says otherwise.

// One call: any number of messages each way. Outlives its connection or closes
// it.
class Http2Call {
 public:
  virtual ~Http2Call() = default;
  virtual void OnMessage(absl::string_view message) = 0;
  // The last word: OK or the server's status; UNAVAILABLE: the connection
  // broke.
  virtual void OnEnd(const absl::Status& status) = 0;
};

// A connection without encryption. What is sent goes out when the thread has
// nothing else to do, in few writes.
class Http2Connection {
 public:
  ~Http2Connection();

  // `path`: "/package.Service/Method". Returns the call's number.
  int32_t Open(const std::string& path, Http2Call* call);
  void Send(int32_t call, absl::string_view message);
  // No message follows.
  void CloseSending(int32_t call);

 private:
  friend class Http2Loop;
  struct Outgoing {
    std::string bytes;
    size_t sent = 0;
    bool is_last = false;
  };
  struct State {
    Http2Call* call = nullptr;
    Outgoing out;
    std::string in;  // frames of gRPC that are not yet whole
    int status = -1;
    std::string message;
  };

  Http2Connection(int fd, std::string authority);
  bool Receive();
  bool Flush();
  void TakeMessages(State& state);
  void End(int32_t call, const absl::Status& status);
  void Break();

  const int fd_;
  const std::string authority_;
  nghttp2_session* session_ = nullptr;
  std::map<int32_t, State> calls_;
  std::string unwritten_;
  bool has_news_ = true;  // something to flush
};

// The thread and its connections.
class Http2Loop {
 public:
  Http2Loop();
  // Closes the connections; calls that have not ended are told so.
  ~Http2Loop();

  // Any thread; waits. `address`: host:port.
  absl::StatusOr<Http2Connection*> Connect(const std::string& address);
  // Any thread. Runs soon, in order; what it sends goes out after it.
  void Post(std::function<void()> task);

 private:
  void Run();
  void RunTasks();
  void Watch(Http2Connection* connection);

  const int epoll_;
  const int wake_;
  absl::Mutex mutex_;
  std::vector<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::unique_ptr<Http2Connection>> connections_;
  std::thread thread_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_BENCHMARK_HTTP2_CALLS_H_
