#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_HANDLE_TABLE_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_HANDLE_TABLE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace lockstep::internal::cuda {

// The objects of one kind that callers have handles of: a handle that is not
// valid, or no longer, finds none. Any thread.
template <class Handle, class T>
class HandleTable {
 public:
  static HandleTable& Get() {
    static auto* const table = new HandleTable;
    return *table;
  }

  // A handle that no other object had or will have.
  Handle Add(std::shared_ptr<T> object) {
    std::lock_guard lock(mutex_);
    auto handle = reinterpret_cast<Handle>(++last_);
    objects_[handle] = std::move(object);
    return handle;
  }

  std::shared_ptr<T> Find(Handle handle) const {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  // The object, which has no handle any more, or null.
  std::shared_ptr<T> Remove(Handle handle) {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end()) return nullptr;
    std::shared_ptr<T> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

  void RemoveObject(const T* object) {
    std::lock_guard lock(mutex_);
    std::erase_if(objects_, [object](const auto& entry) {
      return entry.second.get() == object;
    });
  }

 private:
  mutable std::mutex mutex_;
  uintptr_t last_ = 0x1000;
  std::unordered_map<Handle, std::shared_ptr<T>> objects_;
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_HANDLE_TABLE_H_
