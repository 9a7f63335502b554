#include <sys/random.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cuda/nccl_api.h"
#include "tests/cuda_emulation/communicator.h"
#include "tests/cuda_emulation/driver_link.h"
#include "tests/cuda_emulation/handle_table.h"
#include "tests/cuda_emulation/reduction.h"

namespace lockstep::internal::cuda {

#define LOCKSTEP_DECLARE(member, symbol, ...)                            \
  extern "C" __attribute__((visibility("default"))) ncclResult_t member( \
      __VA_ARGS__) __asm__(symbol);
LOCKSTEP_NCCL_FUNCTIONS(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE

namespace {

using Communicators = HandleTable<ncclComm_t, EmulatedCommunicator>;

// What a thread collects from ncclGroupStart to ncclGroupEnd.
struct Group {
  struct Work {
    std::shared_ptr<EmulatedCommunicator> communicator;
    CUstream stream;
    std::vector<Transfer> transfers;
  };
  int depth = 1;
  std::vector<Work> works;
  std::vector<std::shared_ptr<EmulatedCommunicator>> joining;  // Blocking ones.
};

thread_local Group* group = nullptr;  // Null outside of groups.

ncclResult_t Count(const char* function) {
  return static_cast<ncclResult_t>(DriverLink::Get().Count(function));
}

ncclResult_t Enqueue(Group::Work work) {
  auto* data = new Group::Work(std::move(work));
  auto run = [](void* data) {
    const auto& work = *static_cast<Group::Work*>(data);
    return work.communicator->Run(work.transfers);
  };
  auto forget = [](void* data) { delete static_cast<Group::Work*>(data); };
  CUresult result = DriverLink::Get().enqueue(data->stream, run, forget, data);
  return result == CUDA_SUCCESS ? ncclSuccess : ncclUnhandledCudaError;
}

ncclResult_t Add(const char* function, ncclComm_t comm, CUstream stream,
                 const Transfer& transfer) {
  if (ncclResult_t error = Count(function)) return error;
  std::shared_ptr<EmulatedCommunicator> found = Communicators::Get().Find(comm);
  if (found == nullptr || ElementSize(transfer.type) == 0 ||
      transfer.peer < 0 || transfer.peer >= found->ranks() ||
      transfer.reduction > ncclMin) {
    return ncclInvalidArgument;
  }
  ncclResult_t error = found->error();
  if (error == ncclInProgress) return ncclInvalidArgument;
  if (error != ncclSuccess) return error;
  if (group == nullptr) return Enqueue({found, stream, {transfer}});
  for (Group::Work& work : group->works) {
    if (work.communicator != found) continue;
    // One communicator on several streams in one group is not emulated.
    if (work.stream != stream) return ncclInvalidUsage;
    work.transfers.push_back(transfer);
    return ncclSuccess;
  }
  group->works.push_back({found, stream, {transfer}});
  return ncclSuccess;
}

std::string NameOf(const ncclUniqueId& id) {
  return std::string(id.internal, strnlen(id.internal, sizeof(id.internal)));
}

}  // namespace

ncclResult_t ncclGetVersion(int* version) {
  if (version == nullptr) return ncclInvalidArgument;
  *version = 22809;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  if (ncclResult_t error = Count("ncclGetUniqueId")) return error;
  unsigned long long random[2];
  if (getrandom(random, sizeof(random), 0) != sizeof(random)) {
    return ncclSystemError;
  }
  std::memset(id->internal, 0, sizeof(id->internal));
  std::snprintf(id->internal, sizeof(id->internal),
                "/lockstep-nccl-%016llx%016llx", random[0], random[1]);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks,
                                    ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  if (ncclResult_t error = Count("ncclCommInitRankConfig")) return error;
  std::string name = NameOf(id);
  if (comm == nullptr || ranks < 1 || ranks > kMaxRanks || rank < 0 ||
      rank >= ranks || name.empty() || name[0] != '/') {
    return ncclInvalidArgument;
  }
  int device =
      DriverLink::Get().device == nullptr ? -1 : DriverLink::Get().device();
  if (device < 0) return ncclUnhandledCudaError;
  auto communicator =
      std::make_shared<EmulatedCommunicator>(name, ranks, rank, device);
  *comm = Communicators::Get().Add(communicator);
  EmulatedCommunicator::BeginJoin(communicator);
  if (config != nullptr && config->blocking == 0) return ncclInProgress;
  if (group != nullptr) {
    group->joining.push_back(std::move(communicator));
    return ncclSuccess;
  }
  return communicator->AwaitJoin();
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  if (ncclResult_t fault = Count("ncclCommGetAsyncError")) return fault;
  std::shared_ptr<EmulatedCommunicator> found = Communicators::Get().Find(comm);
  if (found == nullptr || error == nullptr) return ncclInvalidArgument;
  *error = found->error();
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  if (ncclResult_t error = Count("ncclCommFinalize")) return error;
  std::shared_ptr<EmulatedCommunicator> found = Communicators::Get().Find(comm);
  if (found == nullptr || found->error() == ncclInProgress) {
    return ncclInvalidArgument;
  }
  found->Leave();
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (ncclResult_t error = Count("ncclCommDestroy")) return error;
  std::shared_ptr<EmulatedCommunicator> removed =
      Communicators::Get().Remove(comm);
  if (removed == nullptr) return ncclInvalidArgument;
  if (removed->error() == ncclInProgress) {
    removed->Abort();
    return ncclSuccess;
  }
  // Work in streams keeps it until it has run.
  removed->Leave();
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  if (ncclResult_t error = Count("ncclCommAbort")) return error;
  std::shared_ptr<EmulatedCommunicator> removed =
      Communicators::Get().Remove(comm);
  if (removed == nullptr) return ncclInvalidArgument;
  removed->Abort();
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  if (ncclResult_t error = Count("ncclGroupStart")) return error;
  if (group == nullptr) {
    group = new Group;
  } else {
    ++group->depth;
  }
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  if (ncclResult_t error = Count("ncclGroupEnd")) return error;
  if (group == nullptr) return ncclInvalidUsage;
  if (--group->depth > 0) return ncclSuccess;
  std::unique_ptr<Group> ended(std::exchange(group, nullptr));
  ncclResult_t result = ncclSuccess;
  for (const auto& communicator : ended->joining) {
    ncclResult_t joined = communicator->AwaitJoin();
    if (result == ncclSuccess) result = joined;
  }
  for (Group::Work& work : ended->works) {
    ncclResult_t enqueued = Enqueue(std::move(work));
    if (result == ncclSuccess) result = enqueued;
  }
  return result;
}

ncclResult_t ncclAllReduce(const void* from, void* to, size_t count,
                           ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           CUstream stream) {
  return Add("ncclAllReduce", comm, stream,
             {.kind = Transfer::Kind::kAllReduce,
              .from = from,
              .to = to,
              .count = count,
              .type = type,
              .reduction = op});
}

ncclResult_t ncclReduceScatter(const void* from, void* to, size_t receive_count,
                               ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, CUstream stream) {
  return Add("ncclReduceScatter", comm, stream,
             {.kind = Transfer::Kind::kReduceScatter,
              .from = from,
              .to = to,
              .count = receive_count,
              .type = type,
              .reduction = op});
}

ncclResult_t ncclAllGather(const void* from, void* to, size_t send_count,
                           ncclDataType_t type, ncclComm_t comm,
                           CUstream stream) {
  return Add("ncclAllGather", comm, stream,
             {.kind = Transfer::Kind::kAllGather,
              .from = from,
              .to = to,
              .count = send_count,
              .type = type});
}

ncclResult_t ncclBroadcast(const void* from, void* to, size_t count,
                           ncclDataType_t type, int root, ncclComm_t comm,
                           CUstream stream) {
  return Add("ncclBroadcast", comm, stream,
             {.kind = Transfer::Kind::kBroadcast,
              .from = from,
              .to = to,
              .count = count,
              .type = type,
              .peer = root});
}

ncclResult_t ncclSend(const void* from, size_t count, ncclDataType_t type,
                      int peer, ncclComm_t comm, CUstream stream) {
  return Add("ncclSend", comm, stream,
             {.kind = Transfer::Kind::kSend,
              .from = from,
              .count = count,
              .type = type,
              .peer = peer});
}

ncclResult_t ncclRecv(void* to, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, CUstream stream) {
  return Add("ncclRecv", comm, stream,
             {.kind = Transfer::Kind::kReceive,
              .to = to,
              .count = count,
              .type = type,
              .peer = peer});
}

}  // namespace lockstep::internal::cuda
