#include "tests/cuda_emulation/context.h"

#include <algorithm>
#include <map>

#include "tests/cuda_emulation/handle_table.h"
#include "tests/cuda_emulation/memory_map.h"

namespace lockstep::internal::cuda {
namespace {

using Contexts = HandleTable<CUcontext, Context>;

struct PrimaryContexts {
  struct Entry {
    std::shared_ptr<Context> context;
    int users = 0;
  };
  std::mutex mutex;
  std::map<int, Entry> entries;  // By device.
};

PrimaryContexts& primaries() {
  static auto* const primaries = new PrimaryContexts;
  return *primaries;
}

thread_local CUcontext current = nullptr;
thread_local bool is_in_host_function = false;

}  // namespace

std::shared_ptr<Context> Context::Primary(int device) {
  std::lock_guard lock(primaries().mutex);
  auto entry = primaries().entries.find(device);
  return entry == primaries().entries.end() ? nullptr : entry->second.context;
}

std::shared_ptr<Context> Context::Retain(int device) {
  std::lock_guard lock(primaries().mutex);
  PrimaryContexts::Entry& entry = primaries().entries[device];
  if (entry.users++ == 0) {
    entry.context = std::shared_ptr<Context>(new Context(device));
    entry.context->handle_ = Contexts::Get().Add(entry.context);
  }
  return entry.context;
}

CUresult Context::Release(int device) {
  std::shared_ptr<Context> context;
  {
    std::lock_guard lock(primaries().mutex);
    auto entry = primaries().entries.find(device);
    if (entry == primaries().entries.end()) return CUDA_ERROR_INVALID_CONTEXT;
    if (--entry->second.users > 0) return CUDA_SUCCESS;
    context = entry->second.context;
    primaries().entries.erase(entry);
  }
  Contexts::Get().Remove(context->handle());
  context->Synchronize();
  for (const auto& stream : context->Streams()) {
    HandleTable<CUstream, Stream>::Get().RemoveObject(stream.get());
    stream->End();
  }
  {
    std::lock_guard lock(context->mutex_);
    context->streams_.clear();
    context->default_stream_ = nullptr;
    if (context->host_functions_ != nullptr) context->host_functions_->End();
    context->host_functions_ = nullptr;
  }
  MemoryMap::Get().FreeAll(device);
  return CUDA_SUCCESS;
}

std::shared_ptr<Context> Context::Current() {
  return current == nullptr ? nullptr : Contexts::Get().Find(current);
}

CUresult Context::SetCurrent(CUcontext context) {
  if (context != nullptr && Contexts::Get().Find(context) == nullptr) {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  current = context;
  return CUDA_SUCCESS;
}

void Context::Fail(CUresult error) {
  int none = CUDA_SUCCESS;
  if (error != CUDA_SUCCESS) error_.compare_exchange_strong(none, error);
}

std::shared_ptr<Stream> Context::NewStream() {
  std::lock_guard lock(mutex_);
  uint64_t seed = next_seed_++ * 1000 + static_cast<uint64_t>(device_);
  streams_.push_back(Stream::Create(shared_from_this(), seed));
  return streams_.back();
}

std::shared_ptr<Stream> Context::DefaultStream() {
  {
    std::lock_guard lock(mutex_);
    if (default_stream_ != nullptr) return default_stream_;
  }
  std::shared_ptr<Stream> stream = NewStream();
  std::lock_guard lock(mutex_);
  if (default_stream_ == nullptr) default_stream_ = stream;
  return default_stream_;
}

void Context::Forget(const std::shared_ptr<Stream>& stream) {
  {
    std::lock_guard lock(mutex_);
    streams_.erase(std::remove(streams_.begin(), streams_.end(), stream),
                   streams_.end());
  }
  stream->End();
}

std::vector<std::shared_ptr<Stream>> Context::Streams() {
  std::lock_guard lock(mutex_);
  return streams_;
}

void Context::Synchronize() {
  std::vector<std::shared_ptr<Moment>> ends;
  for (const auto& stream : Streams()) ends.push_back(stream->AddMoment());
  for (const auto& end : ends) end->Await();
}

void Context::CallHost(CUhostFn function, void* user_data) {
  std::shared_ptr<Stream> thread;
  {
    std::lock_guard lock(mutex_);
    if (host_functions_ == nullptr) {
      host_functions_ = Stream::Create(shared_from_this(), /*seed=*/0);
    }
    thread = host_functions_;
  }
  thread->Add(std::make_shared<Operation>(Operation{
      .kind = Operation::Kind::kOrder,
      .run =
          [=] {
            is_in_host_function = true;
            function(user_data);
            is_in_host_function = false;
            return CUDA_SUCCESS;
          },
  }));
  thread->Synchronize();
}

bool Context::IsInHostFunction() { return is_in_host_function; }

}  // namespace lockstep::internal::cuda
