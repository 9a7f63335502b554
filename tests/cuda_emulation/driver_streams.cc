#include <chrono>

#include "tests/cuda_emulation/driver_call.h"
#include "tests/cuda_emulation/settings.h"

namespace lockstep::internal::cuda {

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuStreamCreate", &context)) return error;
  if (flags > CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  *stream = Streams::Get().Add(context->NewStream());
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream stream) {
  std::shared_ptr<Context> context;
  CUresult error = Enter("cuStreamDestroy", &context);
  if (context == nullptr) return error;
  std::shared_ptr<Stream> removed = Streams::Get().Remove(stream);
  if (removed == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  removed->context().Forget(removed);
  return error;
}

CUresult cuStreamQuery(CUstream stream) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuStreamQuery", &context)) return error;
  std::shared_ptr<Stream> found = FindStream(*context, stream);
  if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult error = Captures::Get().BreakForWait(*found)) return error;
  if (!found->IsIdle()) return CUDA_ERROR_NOT_READY;
  return found->context().error();
}

CUresult cuStreamSynchronize(CUstream stream) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuStreamSynchronize", &context)) return error;
  std::shared_ptr<Stream> found = FindStream(*context, stream);
  if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult error = Captures::Get().BreakForWait(*found)) return error;
  found->Synchronize();
  return found->context().error();
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuStreamWaitEvent", &context)) return error;
  std::shared_ptr<Stream> found = FindStream(*context, stream);
  std::shared_ptr<Event> awaited = Events::Get().Find(event);
  if (found == nullptr || awaited == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  CUresult result = CUDA_SUCCESS;
  if (Captures::Get().Wait(found, *awaited, &result)) return result;
  std::shared_ptr<Moment> moment;
  {
    std::lock_guard lock(awaited->mutex);
    moment = awaited->moment;
  }
  if (moment == nullptr) return CUDA_SUCCESS;
  found->Add(std::make_shared<Operation>(Operation{
      .kind = Operation::Kind::kOrder,
      .run =
          [moment] {
            moment->Await();
            return CUDA_SUCCESS;
          },
  }));
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuEventCreate", &context)) return error;
  auto created = std::make_shared<Event>();
  created->has_timing = (flags & CU_EVENT_DISABLE_TIMING) == 0;
  created->context = context.get();
  *event = Events::Get().Add(std::move(created));
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event) {
  std::shared_ptr<Context> context;
  CUresult error = Enter("cuEventDestroy", &context);
  if (context == nullptr) return error;
  if (Events::Get().Remove(event) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return error;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuEventRecord", &context)) return error;
  std::shared_ptr<Stream> found = FindStream(*context, stream);
  std::shared_ptr<Event> recorded = Events::Get().Find(event);
  if (found == nullptr || recorded == nullptr ||
      recorded->context != &found->context()) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  CUresult result = CUDA_SUCCESS;
  if (Captures::Get().Record(found, *recorded, &result)) return result;
  std::lock_guard lock(recorded->mutex);
  recorded->captured = nullptr;
  recorded->moment = found->AddMoment();
  return CUDA_SUCCESS;
}

namespace {

// The moment of an event that a thread may ask for; null if it has none.
CUresult FindMoment(const char* function, CUevent event,
                    std::shared_ptr<Context>* context,
                    std::shared_ptr<Moment>* moment) {
  if (CUresult error = Enter(function, context)) return error;
  std::shared_ptr<Event> found = Events::Get().Find(event);
  if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard lock(found->mutex);
  if (found->captured != nullptr) return kCapturedEvent;
  *moment = found->moment;
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuEventQuery(CUevent event) {
  std::shared_ptr<Context> context;
  std::shared_ptr<Moment> moment;
  if (CUresult error = FindMoment("cuEventQuery", event, &context, &moment)) {
    return error;
  }
  bool has_passed = moment == nullptr || moment->has_passed();
  return has_passed ? context->error() : CUDA_ERROR_NOT_READY;
}

CUresult cuEventSynchronize(CUevent event) {
  std::shared_ptr<Context> context;
  std::shared_ptr<Moment> moment;
  if (CUresult error =
          FindMoment("cuEventSynchronize", event, &context, &moment)) {
    return error;
  }
  if (moment != nullptr) moment->Await();
  return context->error();
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuEventElapsedTime", &context)) return error;
  std::shared_ptr<Moment> moments[2];
  CUevent events[2] = {begin, end};
  for (int i = 0; i < 2; ++i) {
    std::shared_ptr<Event> event = Events::Get().Find(events[i]);
    if (event == nullptr || !event->has_timing) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    std::lock_guard lock(event->mutex);
    moments[i] = event->moment;
    if (moments[i] == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!moments[i]->has_passed()) return CUDA_ERROR_NOT_READY;
  }
  *milliseconds = std::chrono::duration<float, std::milli>(moments[1]->time() -
                                                           moments[0]->time())
                      .count();
  return CUDA_SUCCESS;
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuLaunchHostFunc", &context)) return error;
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Stream> found = FindStream(*context, stream);
  if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  Context* const owner = &found->context();
  return AddOperation(
      *context, stream,
      {.kind = Operation::Kind::kHostFunction, .run = [=]() -> CUresult {
         if (int error = Settings::Get().Count("host")) {
           return static_cast<CUresult>(error);
         }
         owner->CallHost(function, user_data);
         return CUDA_SUCCESS;
       }});
}

}  // namespace lockstep::internal::cuda
