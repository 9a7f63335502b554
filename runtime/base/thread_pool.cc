#include "runtime/base/thread_pool.h"

#include <pthread.h>

#include <utility>

namespace lockstep::internal {

ThreadPool::ThreadPool(absl::string_view name, int threads) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this, name = std::string(name)] {
      SetThreadName(name);
      Run();
    });
  }
}

ThreadPool::~ThreadPool() {
  {
    absl::MutexLock lock(&mutex_);
    is_stopping_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Schedule(std::function<void()> task) {
  absl::MutexLock lock(&mutex_);
  tasks_.push_back(std::move(task));
}

void ThreadPool::Run() {
  while (true) {
    std::function<void()> task;
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(
          +[](ThreadPool* pool) ABSL_NO_THREAD_SAFETY_ANALYSIS {
            return !pool->tasks_.empty() || pool->is_stopping_;
          },
          this));
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

void SetThreadName(absl::string_view name) {
  pthread_setname_np(pthread_self(), std::string(name.substr(0, 15)).c_str());
}

}  // namespace lockstep::internal
