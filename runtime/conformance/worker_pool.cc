#include "runtime/conformance/worker_pool.h"

#include <errno.h>
#include <poll.h>

#include <algorithm>
#include <map>
#include <utility>

#include "absl/time/clock.h"
#include "runtime/base/status.h"
#include "runtime/conformance/worker_messages.h"

namespace lockstep::internal {
namespace {

// Sends what it hears to the parent.
class PipeObserver : public CaseObserver {
 public:
  explicit PipeObserver(MessagePipe& pipe) : pipe_(pipe) {}
  void Cases(const std::vector<std::string>& names) override {
    pipe_.Write(Encode({ModuleAnswer::Kind::kCases, names, {}}));
  }
  void Finished(CaseResult result) override {
    pipe_.Write(Encode({ModuleAnswer::Kind::kResult, {}, std::move(result)}));
  }

 private:
  MessagePipe& pipe_;
};

void Serve(const WorkerPool::MakeRunnerFn& make_runner, MessagePipe& pipe) {
  const WorkerPool::RunModuleFn run = make_runner();
  PipeObserver observer(pipe);
  std::string message;
  while (pipe.Read(message)) {
    absl::StatusOr<ModuleRequest> request = DecodeRequest(message);
    if (!request.ok()) return;
    run(request->module, request->skip, observer);
    pipe.Write(Encode(ModuleAnswer{}));
  }
}

}  // namespace

// A module and what is known of its cases.
struct WorkerPool::Task {
  int number = 0;
  SuiteModule module;
  std::vector<std::string> cases;
  std::vector<CaseResult> results;
};

struct WorkerPool::Slot {
  std::unique_ptr<WorkerProcess> worker;
  std::unique_ptr<Task> task;  // null: idle
  absl::Time started;          // the case that runs
};

// Brings results into the order of the modules.
class WorkerPool::Delivery {
 public:
  explicit Delivery(const DoneFn& done) : done_(done) {}

  void Add(Task& task) {
    waiting_[task.number] = std::move(task.results);
    while (!waiting_.empty() && waiting_.begin()->first == next_) {
      done_(std::move(waiting_.begin()->second));
      waiting_.erase(waiting_.begin());
      ++next_;
    }
  }

 private:
  const DoneFn& done_;
  std::map<int, std::vector<CaseResult>> waiting_;
  int next_ = 0;
};

WorkerPool::WorkerPool(const Options& options, MakeRunnerFn make_runner)
    : options_(options),
      serve_([make_runner = std::move(make_runner)](MessagePipe& pipe) {
        Serve(make_runner, pipe);
      }),
      slots_(std::max(options.jobs, 1)) {}

WorkerPool::~WorkerPool() = default;

absl::Status WorkerPool::Assign(Slot& slot, std::unique_ptr<Task> task) {
  if (slot.worker == nullptr) {
    ASSIGN_OR_RETURN(slot.worker,
                     WorkerProcess::Start(serve_, options_.memory_limit));
  }
  slot.task = std::move(task);
  slot.started = absl::Now();
  const ModuleRequest request{slot.task->module,
                              static_cast<int>(slot.task->results.size())};
  // A worker that is gone is noticed when its answer is read.
  slot.worker->pipe().Write(Encode(request));
  return absl::OkStatus();
}

void WorkerPool::Lose(Slot& slot, CaseStatus status) {
  const std::string how = slot.worker->End();
  slot.worker.reset();
  Task& task = *slot.task;
  CaseResult result;
  result.file = task.module.file;
  const bool is_known = task.results.size() < task.cases.size();
  result.name = is_known ? task.cases[task.results.size()]
                         : task.module.file + task.module.suffix;
  result.status = status;
  result.reason = status == CaseStatus::kTimeout
                      ? "over " + absl::FormatDuration(options_.timeout)
                      : how;
  result.seconds = absl::ToDoubleSeconds(absl::Now() - slot.started);
  task.results.push_back(std::move(result));
  if (task.results.size() < task.cases.size()) {
    unfinished_.push_back(std::move(slot.task));
  } else {
    delivery_->Add(task);
    slot.task.reset();
  }
}

void WorkerPool::ReadAnswer(Slot& slot) {
  std::string message;
  if (!slot.worker->pipe().Read(message)) {
    return Lose(slot, CaseStatus::kCrash);
  }
  absl::StatusOr<ModuleAnswer> answer = DecodeAnswer(message);
  if (!answer.ok()) return Lose(slot, CaseStatus::kCrash);
  switch (answer->kind) {
    case ModuleAnswer::Kind::kCases:
      slot.task->cases = std::move(answer->cases);
      return;
    case ModuleAnswer::Kind::kResult:
      slot.task->results.push_back(std::move(answer->result));
      slot.started = absl::Now();
      return;
    case ModuleAnswer::Kind::kEnd:
      delivery_->Add(*slot.task);
      slot.task.reset();
      return;
  }
}

int WorkerPool::MillisecondsToDeadline() const {
  absl::Time first = absl::InfiniteFuture();
  for (const Slot& slot : slots_) {
    if (slot.task != nullptr) {
      first = std::min(first, slot.started + options_.timeout);
    }
  }
  const absl::Duration left = first - absl::Now();
  return static_cast<int>(absl::ToInt64Milliseconds(
             std::clamp(left, absl::ZeroDuration(), absl::Hours(1)))) +
         1;
}

absl::Status WorkerPool::Run(const NextFn& next, const DoneFn& done) {
  delivery_ = std::make_unique<Delivery>(done);
  int count = 0;
  bool has_more = true;
  while (true) {
    std::vector<pollfd> fds;
    std::vector<Slot*> busy;
    for (Slot& slot : slots_) {
      if (slot.task == nullptr && !unfinished_.empty()) {
        std::unique_ptr<Task> task = std::move(unfinished_.back());
        unfinished_.pop_back();
        RETURN_IF_ERROR(Assign(slot, std::move(task)));
      } else if (slot.task == nullptr && has_more) {
        auto task = std::make_unique<Task>();
        has_more = next(task->module);
        task->number = count++;
        if (has_more) RETURN_IF_ERROR(Assign(slot, std::move(task)));
      }
      if (slot.task == nullptr) continue;
      fds.push_back({slot.worker->pipe().fd(), POLLIN, 0});
      busy.push_back(&slot);
    }
    if (busy.empty()) return absl::OkStatus();
    if (poll(fds.data(), fds.size(), MillisecondsToDeadline()) < 0 &&
        errno != EINTR) {
      return absl::ErrnoToStatus(errno, "poll");
    }
    for (size_t i = 0; i < busy.size(); ++i) {
      if (fds[i].revents != 0) {
        ReadAnswer(*busy[i]);
      } else if (absl::Now() >= busy[i]->started + options_.timeout) {
        Lose(*busy[i], CaseStatus::kTimeout);
      }
    }
  }
}

}  // namespace lockstep::internal
