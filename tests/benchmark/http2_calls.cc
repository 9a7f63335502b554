#include "tests/benchmark/http2_calls.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

constexpr int32_t kWindow = 1 << 28;
constexpr size_t kPrefix = 5;  // of a message: not compressed, its length
constexpr int kEvents = 256;

nghttp2_nv HeaderOf(absl::string_view name, absl::string_view value) {
  return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())),
          name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

void AppendMessage(absl::string_view message, std::string* bytes) {
  const uint32_t size = htonl(static_cast<uint32_t>(message.size()));
  bytes->push_back('\0');
  bytes->append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes->append(message.data(), message.size());
}

}  // namespace

Http2Connection::Http2Connection(int fd, std::string authority)
    : fd_(fd), authority_(std::move(authority)) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
      callbacks, [](nghttp2_session*, uint8_t, int32_t call,
                    const uint8_t* data, size_t size, void* self) {
        auto& calls = static_cast<Http2Connection*>(self)->calls_;
        const auto it = calls.find(call);
        if (it == calls.end()) return 0;
        it->second.in.append(reinterpret_cast<const char*>(data), size);
        static_cast<Http2Connection*>(self)->TakeMessages(it->second);
        return 0;
      });
  nghttp2_session_callbacks_set_on_header_callback(
      callbacks, [](nghttp2_session*, const nghttp2_frame* frame,
                    const uint8_t* name, size_t name_size, const uint8_t* value,
                    size_t value_size, uint8_t, void* self) {
        auto& calls = static_cast<Http2Connection*>(self)->calls_;
        const auto it = calls.find(frame->hd.stream_id);
        if (it == calls.end()) return 0;
        const absl::string_view key(reinterpret_cast<const char*>(name),
                                    name_size);
        const absl::string_view text(reinterpret_cast<const char*>(value),
                                     value_size);
        if (key == "grpc-status") {
          (void)absl::SimpleAtoi(text, &it->second.status);
        }
        if (key == "grpc-message") it->second.message = std::string(text);
        return 0;
      });
  nghttp2_session_callbacks_set_on_stream_close_callback(
      callbacks, [](nghttp2_session*, int32_t call, uint32_t, void* self) {
        auto* connection = static_cast<Http2Connection*>(self);
        const auto it = connection->calls_.find(call);
        if (it == connection->calls_.end()) return 0;
        const int status = it->second.status;
        connection->End(
            call, status < 0
                      ? absl::UnavailableError("reset")
                      : absl::Status(static_cast<absl::StatusCode>(status),
                                     it->second.message));
        return 0;
      });
  nghttp2_session_client_new(&session_, callbacks, this);
  nghttp2_session_callbacks_del(callbacks);
  const std::array<nghttp2_settings_entry, 2> settings = {
      {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kWindow}}};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(),
                          settings.size());
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0,
                                        kWindow);
}

Http2Connection::~Http2Connection() {
  Break();
  nghttp2_session_del(session_);
  close(fd_);
}

int32_t Http2Connection::Open(const std::string& path, Http2Call* call) {
  const std::array<nghttp2_nv, 6> headers = {
      HeaderOf(":method", "POST"),
      HeaderOf(":scheme", "http"),
      HeaderOf(":path", path),
      HeaderOf(":authority", authority_),
      HeaderOf("te", "trailers"),
      HeaderOf("content-type", "application/grpc")};
  nghttp2_data_provider source = {};
  source.read_callback = [](nghttp2_session*, int32_t id, uint8_t* to,
                            size_t room, uint32_t* flags,
                            nghttp2_data_source* from, void*) -> ssize_t {
    auto* connection = static_cast<Http2Connection*>(from->ptr);
    Outgoing& out = connection->calls_.at(id).out;
    const size_t size = std::min(room, out.bytes.size() - out.sent);
    if (size == 0 && !out.is_last) return NGHTTP2_ERR_DEFERRED;
    // NOLINTNEXTLINE(bugprone-not-null-terminated-result): no text, but bytes
    std::memcpy(to, out.bytes.data() + out.sent, size);
    out.sent += size;
    if (out.sent == out.bytes.size()) {
      out.bytes.clear();
      out.sent = 0;
      if (out.is_last) *flags |= NGHTTP2_DATA_FLAG_EOF;
    }
    return static_cast<ssize_t>(size);
  };
  source.source.ptr = this;
  const int32_t id = nghttp2_submit_request(session_, nullptr, headers.data(),
                                            headers.size(), &source, nullptr);
  calls_[id].call = call;
  has_news_ = true;
  return id;
}

void Http2Connection::Send(int32_t call, absl::string_view message) {
  const auto it = calls_.find(call);
  if (it == calls_.end()) return;
  AppendMessage(message, &it->second.out.bytes);
  nghttp2_session_resume_data(session_, call);
  has_news_ = true;
}

void Http2Connection::CloseSending(int32_t call) {
  const auto it = calls_.find(call);
  if (it == calls_.end()) return;
  it->second.out.is_last = true;
  nghttp2_session_resume_data(session_, call);
  has_news_ = true;
}

void Http2Connection::TakeMessages(State& state) {
  size_t begin = 0;
  while (state.in.size() - begin >= kPrefix) {
    uint32_t size = 0;
    std::memcpy(&size, state.in.data() + begin + 1, sizeof(size));
    size = ntohl(size);
    if (state.in.size() - begin - kPrefix < size) break;
    state.call->OnMessage(
        absl::string_view(state.in).substr(begin + kPrefix, size));
    begin += kPrefix + size;
  }
  state.in.erase(0, begin);
}

void Http2Connection::End(int32_t call, const absl::Status& status) {
  const auto it = calls_.find(call);
  Http2Call* const ended = it->second.call;
  calls_.erase(it);
  ended->OnEnd(status);
}

void Http2Connection::Break() {
  while (!calls_.empty()) {
    End(calls_.begin()->first, absl::UnavailableError("the connection broke"));
  }
}

bool Http2Connection::Receive() {
  std::array<uint8_t, 1 << 16> bytes;
  while (true) {
    const ssize_t size = recv(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return true;
    if (size <= 0) return false;
    if (nghttp2_session_mem_recv(session_, bytes.data(), size) < 0) {
      return false;
    }
    has_news_ = true;
    if (size < std::ssize(bytes)) return true;
  }
}

bool Http2Connection::Flush() {
  const uint8_t* bytes = nullptr;
  ssize_t size = 0;
  while ((size = nghttp2_session_mem_send(session_, &bytes)) > 0) {
    unwritten_.append(reinterpret_cast<const char*>(bytes), size);
  }
  has_news_ = false;
  while (!unwritten_.empty()) {
    const ssize_t written =
        send(fd_, unwritten_.data(), unwritten_.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    unwritten_.erase(0, written);
  }
  return size >= 0;
}

Http2Loop::Http2Loop()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event event = {};
  event.events = EPOLLIN;
  epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event);
  thread_ = std::thread([this] { Run(); });
}

Http2Loop::~Http2Loop() {
  {
    absl::MutexLock lock(&mutex_);
    is_stopping_ = true;
  }
  Post([] {});
  thread_.join();
  connections_.clear();
  close(wake_);
  close(epoll_);
}

absl::StatusOr<Http2Connection*> Http2Loop::Connect(
    const std::string& address) {
  const size_t colon = address.rfind(':');
  int port = 0;
  sockaddr_in peer = {};
  peer.sin_family = AF_INET;
  if (colon == std::string::npos ||
      !absl::SimpleAtoi(address.substr(colon + 1), &port) ||
      inet_pton(AF_INET, address.substr(0, colon).c_str(), &peer.sin_addr) !=
          1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected an IPv4 address and a port, found ", address));
  }
  peer.sin_port = htons(static_cast<uint16_t>(port));
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, reinterpret_cast<const sockaddr*>(&peer),
                        sizeof(peer)) != 0) {
    const int error = errno;
    if (fd >= 0) close(fd);
    return absl::ErrnoToStatus(error, absl::StrCat("connecting ", address));
  }
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  auto* connection = new Http2Connection(fd, address);
  connection->Flush();  // who says nothing is a stranger
  Post([this, connection] {
    connections_.emplace_back(connection);
    Watch(connection);
  });
  return connection;
}

void Http2Loop::Watch(Http2Connection* connection) {
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.ptr = connection;
  epoll_ctl(epoll_, EPOLL_CTL_ADD, connection->fd_, &event);
}

void Http2Loop::Post(std::function<void()> task) {
  {
    absl::MutexLock lock(&mutex_);
    tasks_.push_back(std::move(task));
    if (tasks_.size() > 1) return;
  }
  const uint64_t one = 1;
  (void)!write(wake_, &one, sizeof(one));
}

void Http2Loop::RunTasks() {
  uint64_t count = 0;
  (void)!read(wake_, &count, sizeof(count));
  std::vector<std::function<void()>> tasks;
  {
    absl::MutexLock lock(&mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task();
}

void Http2Loop::Run() {
  std::array<epoll_event, kEvents> events;
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      if (is_stopping_) return;
    }
    const int count = epoll_wait(epoll_, events.data(), kEvents, -1);
    std::vector<Http2Connection*> broken;
    bool has_tasks = false;
    for (int i = 0; i < count; ++i) {
      auto* connection = static_cast<Http2Connection*>(events[i].data.ptr);
      if (connection == nullptr) {
        has_tasks = true;
      } else if (!connection->Receive() ||
                 (connection->has_news_ && !connection->Flush())) {
        broken.push_back(connection);
      }
    }
    if (has_tasks) {
      RunTasks();
      for (const auto& connection : connections_) {
        if (connection->has_news_ && !connection->Flush()) {
          broken.push_back(connection.get());
        }
      }
    }
    for (Http2Connection* connection : broken) {
      epoll_ctl(epoll_, EPOLL_CTL_DEL, connection->fd_, nullptr);
      connection->Break();
    }
  }
}

}  // namespace lockstep::internal
