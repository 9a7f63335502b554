#include "runtime/executable/collective_thunk.h"

#include <algorithm>
#include <deque>
#include <optional>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/collectives/tensor_parts.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/executable/profile_recorder.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

using Operation = CollectiveThunk::Operation;
using Parameters = CollectiveThunk::Parameters;

std::string Describe(const Parameters& parameters) {
  std::string text = absl::StrCat(
      "groups=[",
      absl::StrJoin(parameters.groups, ",",
                    [](std::string* out, const std::vector<int32_t>& group) {
                      absl::StrAppend(out, "[", absl::StrJoin(group, ","), "]");
                    }),
      "]");
  if (parameters.operation == Operation::kPermute) {
    absl::StrAppend(
        &text, ", pairs=[",
        absl::StrJoin(parameters.pairs, ",", absl::PairFormatter("->")), "]");
  }
  absl::StrAppend(&text, ", dim=", parameters.dim);
  if (parameters.operation == Operation::kAllToAll) {
    absl::StrAppend(&text, ", concat_dim=", parameters.concat_dim);
  }
  absl::StrAppend(&text, ", clique=", parameters.clique_slot,
                  ", ordinal=", parameters.ordinal);
  return text;
}

uint64_t DigestOf(const Parameters& parameters,
                  const std::vector<TensorSlice>& operands,
                  const std::vector<TensorSlice>& results) {
  std::string text = absl::StrCat(CollectiveName(parameters.operation), " ",
                                  Describe(parameters));
  for (const TensorSlice& operand : operands) {
    absl::StrAppend(&text, " ", operand.shape.ToString());
  }
  for (const TensorSlice& result : results) {
    absl::StrAppend(&text, " -> ", result.shape.ToString());
  }
  return XXH3_64bits(text.data(), text.size());
}

void SetToZero(DeviceQueue& queue, WorkScope& scope, DeviceAddress tensor) {
  if (tensor.size() > 0) queue.Fill(scope, tensor, std::byte{0});
}

}  // namespace

std::string CollectiveName(Operation operation) {
  switch (operation) {
    case Operation::kAllReduce:
      return "all_reduce";
    case Operation::kAllGather:
      return "all_gather";
    case Operation::kReduceScatter:
      return "reduce_scatter";
    case Operation::kAllToAll:
      return "all_to_all";
    case Operation::kPermute:
      return "collective_permute";
    case Operation::kBroadcast:
      return "collective_broadcast";
    case Operation::kReduce:
      return "collective_reduce";
    case Operation::kRaggedAllToAll:
      return "ragged_all_to_all";
  }
  return "";
}

CollectiveThunk::CollectiveThunk(std::string location, Parameters parameters,
                                 std::vector<TensorSlice> operands,
                                 std::vector<TensorSlice> results,
                                 std::vector<Scratch> scratch)
    : Thunk(CollectiveName(parameters.operation), std::move(location)),
      parameters_(std::move(parameters)),
      operands_(std::move(operands)),
      results_(std::move(results)),
      scratch_(scratch.empty() ? std::vector<Scratch>(results_.size())
                               : std::move(scratch)),
      digest_(DigestOf(parameters_, operands_, results_)) {
  LOCKSTEP_CHECK(operands_.size() ==
                 (parameters_.operation == Operation::kRaggedAllToAll
                      ? 3
                      : results_.size() + parameters_.has_dynamic_root));
  LOCKSTEP_CHECK(scratch_.size() == results_.size());
}

std::vector<BufferUse> CollectiveThunk::buffer_uses() const {
  std::vector<BufferUse> uses;
  for (const TensorSlice& operand : operands_) {
    uses.push_back(BufferUse::Read(operand.slice));
  }
  for (const TensorSlice& result : results_) {
    uses.push_back(BufferUse::Write(result.slice));
  }
  for (const Scratch& scratch : scratch_) {
    for (const BufferSlice& slice : {scratch.packed, scratch.arriving}) {
      if (slice.size > 0) uses.push_back(BufferUse::Write(slice));
    }
  }
  return uses;
}

std::string CollectiveThunk::Details() const { return Describe(parameters_); }

absl::Status CollectiveThunk::Prepare(PrepareContext& context) const {
  for (const std::vector<int32_t>& group : parameters_.groups) {
    if (std::find(group.begin(), group.end(), context.flattened_id) ==
        group.end()) {
      continue;
    }
    if (context.first_collective.empty()) {
      context.first_collective = location();
    }
    std::vector<CliqueMember> members;
    members.reserve(group.size());
    for (int32_t id : group) members.push_back(context.members[id]);
    LOCKSTEP_CHECK(context.clique_provider != nullptr);
    return context.cliques->Acquire(
        parameters_.clique_slot, CliqueKey(std::move(members)),
        context.members[context.flattened_id].device, *context.clique_provider);
  }
  return absl::OkStatus();
}

absl::Status CollectiveThunk::ExecuteOn(DeviceQueue& queue,
                                        ExecuteContext& context) const {
  const int64_t number = context.collective_count++;
  AcquiredCliques::Clique* clique =
      context.cliques->Find(parameters_.clique_slot);
  if (clique == nullptr) {
    for (const TensorSlice& result : results_) {
      SetToZero(queue, *context.scope, context.buffers.Address(result.slice));
    }
    return absl::OkStatus();
  }
  Communicator& communicator = *clique->communicator;
  std::vector<int> roots;
  if (parameters_.has_dynamic_root) {
    ASSIGN_OR_RETURN(roots, Roots(context, communicator.key().size()));
  }
  CollectiveCall call = CallOf(context, number);
  for (size_t i = 0; i < results_.size(); ++i) {
    call.number = clique->collective_count++;
    const Part part = {queue,
                       *context.scope,
                       communicator,
                       operands_[i].shape,
                       context.buffers.Address(operands_[i].slice),
                       context.buffers.Address(results_[i].slice),
                       context.buffers.Address(scratch_[i].packed),
                       context.buffers.Address(scratch_[i].arriving)};
    RETURN_IF_ERROR(parameters_.operation == Operation::kRaggedAllToAll
                        ? RaggedAllToAll(part, call, context)
                        : Run(part, call, roots.empty() ? 0 : roots[i]));
  }
  return absl::OkStatus();
}

CollectiveCall CollectiveThunk::CallOf(const ExecuteContext& context,
                                       int64_t number) const {
  CollectiveCall call = CallIn(*context.launch, *context.host.cancellation);
  call.digest = digest_;
  call.is_conditional = context.control_flow_depth > 0;
  call.device_number = number;
  call.name = absl::StrCat(kind(), " #", number);
  call.description =
      absl::StrCat(call.name, " of launch ", context.launch->number.value(),
                   " (", context.launch->program, "), ", location());
  call.observer = context.observer;
  return call;
}

bool CollectiveThunk::runs_together() const {
  return parameters_.operation == Operation::kAllReduce &&
         std::all_of(operands_.begin(), operands_.end(),
                     [&](const TensorSlice& operand) {
                       return operand.shape.element_type() ==
                              parameters_.reduction->element_type();
                     });
}

absl::Status CollectiveThunk::ExecuteTogether(
    absl::Span<ExecuteContext* const> contexts) const {
  // In the order of the groups, in which other hosts run them too.
  std::vector<std::vector<ExecuteContext*>> groups(parameters_.groups.size());
  for (ExecuteContext* context : contexts) {
    const int32_t id = context->host.flattened_id;
    const auto group = std::find_if(
        parameters_.groups.begin(), parameters_.groups.end(),
        [id](const std::vector<int32_t>& group) {
          return std::find(group.begin(), group.end(), id) != group.end();
        });
    if (group == parameters_.groups.end()) {
      const ProfiledExecution execution(context->host.profile, *this);
      RETURN_IF_ERROR(Execute(*context));  // zeros
    } else {
      groups[group - parameters_.groups.begin()].push_back(context);
    }
  }
  for (const auto& group : groups) {
    if (!group.empty()) RETURN_IF_ERROR(AllReduceTogether(group));
  }
  return absl::OkStatus();
}

absl::Status CollectiveThunk::AllReduceTogether(
    absl::Span<ExecuteContext* const> contexts) const {
  std::deque<ProfiledExecution> executions;
  for (ExecuteContext* context : contexts) {
    executions.emplace_back(context->host.profile, *this);
  }
  const int64_t number = contexts[0]->collective_count;
  CollectiveCall call = CallOf(*contexts[0], number);
  // No ledger: what is not nested is decided by nobody.
  call.observer = nullptr;
  for (ExecuteContext* context : contexts) {
    ++context->collective_count;
    context->host.progress->EnterCollective(number, call.name);
  }
  for (size_t i = 0; i < results_.size(); ++i) {
    std::vector<RankOperand> ranks;
    HostCommunicator* communicator = nullptr;
    for (ExecuteContext* context : contexts) {
      AcquiredCliques::Clique* clique =
          context->cliques->Find(parameters_.clique_slot);
      communicator = clique->communicator->on_host();
      LOCKSTEP_CHECK(communicator != nullptr);
      call.number = clique->collective_count++;
      ranks.push_back({communicator->rank(),
                       context->host.buffers.View(operands_[i]).bytes(),
                       context->host.buffers.MutableView(results_[i]).bytes()});
    }
    RETURN_IF_ERROR(communicator->AllReduceTogether(
        call, ranks, results_[i].shape.element_count(),
        *parameters_.reduction));
  }
  for (ExecuteContext* context : contexts) {
    context->host.progress->LeaveCollective();
  }
  return absl::OkStatus();
}

absl::Status CollectiveThunk::Run(const Part& part, const CollectiveCall& call,
                                  int root) const {
  switch (parameters_.operation) {
    case Operation::kAllReduce:
      return part.communicator.AllReduce(
          part.queue, part.scope, call, part.operand, part.result,
          part.shape.element_count(), *parameters_.reduction);
    case Operation::kAllGather:
      return AllGather(part, call);
    case Operation::kReduceScatter:
      return ReduceScatter(part, call);
    case Operation::kAllToAll:
      return AllToAll(part, call);
    case Operation::kPermute:
      return Permute(part, call);
    case Operation::kBroadcast:
      return part.communicator.Broadcast(part.queue, part.scope, call, root,
                                         part.operand, part.result);
    case Operation::kReduce:
      RETURN_IF_ERROR(part.communicator.AllReduce(
          part.queue, part.scope, call, part.operand, part.result,
          part.shape.element_count(), *parameters_.reduction));
      if (part.communicator.rank() != root) {
        SetToZero(part.queue, part.scope, part.result);
      }
      return absl::OkStatus();
    case Operation::kRaggedAllToAll:
      break;
  }
  return absl::OkStatus();
}

absl::Status CollectiveThunk::AllGather(const Part& part,
                                        const CollectiveCall& call) const {
  const TensorParts parts = PartsOfJoined(part.shape, parameters_.dim,
                                          part.communicator.key().size());
  if (parts.is_in_order()) {
    return part.communicator.AllGather(part.queue, part.scope, call,
                                       part.operand, part.result);
  }
  RETURN_IF_ERROR(part.communicator.AllGather(part.queue, part.scope, call,
                                              part.operand, part.arriving));
  UnpackParts(part.queue, part.scope, parts, part.arriving, part.result);
  return absl::OkStatus();
}

absl::Status CollectiveThunk::ReduceScatter(const Part& part,
                                            const CollectiveCall& call) const {
  const int64_t size = part.communicator.key().size();
  const TensorParts parts = PartsOf(part.shape, parameters_.dim, size);
  const bool is_packed = parts.is_in_order();
  if (!is_packed) {
    PackParts(part.queue, part.scope, parts, part.operand, part.packed);
  }
  return part.communicator.ReduceScatter(
      part.queue, part.scope, call, is_packed ? part.operand : part.packed,
      part.result, part.shape.element_count() / size, *parameters_.reduction);
}

absl::Status CollectiveThunk::AllToAll(const Part& part,
                                       const CollectiveCall& call) const {
  const int64_t size = part.communicator.key().size();
  const TensorParts sent = PartsOf(part.shape, parameters_.dim, size);
  // A part of the operand, `size` of which make the result.
  std::vector<int64_t> dims(part.shape.dims().begin(), part.shape.dims().end());
  dims[parameters_.dim] /= size;
  const TensorParts received = PartsOfJoined(
      Shape(part.shape.element_type(), dims), parameters_.concat_dim, size);
  if (HostCommunicator* host = part.communicator.on_host()) {
    return host->AllToAllOfParts(part.queue, part.scope, call, sent, received,
                                 part.operand, part.result);
  }
  LOCKSTEP_CHECK(sent.is_in_order() || part.packed.size() > 0);
  LOCKSTEP_CHECK(received.is_in_order() || part.arriving.size() > 0);
  if (!sent.is_in_order()) {
    PackParts(part.queue, part.scope, sent, part.operand, part.packed);
  }
  RETURN_IF_ERROR(part.communicator.AllToAll(
      part.queue, part.scope, call,
      sent.is_in_order() ? part.operand : part.packed,
      received.is_in_order() ? part.result : part.arriving));
  if (!received.is_in_order()) {
    UnpackParts(part.queue, part.scope, received, part.arriving, part.result);
  }
  return absl::OkStatus();
}

absl::Status CollectiveThunk::Permute(const Part& part,
                                      const CollectiveCall& call) const {
  const std::vector<int32_t>& group = parameters_.groups.at(0);
  auto rank_of = [&](int32_t id) {
    return static_cast<int>(std::find(group.begin(), group.end(), id) -
                            group.begin());
  };
  const int rank = part.communicator.rank();
  std::optional<int> source;
  std::vector<int> targets;
  for (const auto& [from, to] : parameters_.pairs) {
    if (rank_of(to) == rank) source = rank_of(from);
    if (rank_of(from) == rank) targets.push_back(rank_of(to));
  }
  return part.communicator.Permute(part.queue, part.scope, call, source,
                                   std::move(targets), part.operand,
                                   part.result);
}

absl::StatusOr<std::vector<int>> CollectiveThunk::Roots(ExecuteContext& context,
                                                        int rank_count) const {
  ASSIGN_OR_RETURN(const std::vector<int64_t> ranks, LastOperand(context));
  std::vector<int> roots;
  for (int64_t rank : ranks) {
    if (rank < 0 || rank >= rank_count) {
      return absl::InvalidArgumentError(absl::StrCat(
          location(), ": stablehlo.", kind(), ": root: expected 0 to ",
          rank_count - 1, ", found ", rank));
    }
    roots.push_back(static_cast<int>(rank));
  }
  return roots;
}

absl::Status CollectiveThunk::RaggedAllToAll(const Part& part,
                                             const CollectiveCall& call,
                                             ExecuteContext& context) const {
  ASSIGN_OR_RETURN(const std::vector<int64_t> table, LastOperand(context));
  const Shape& output = results_[0].shape;
  const int64_t rows = output.dim(0);
  auto slices = RaggedSlices::Create(
      table, part.communicator.key().size(),
      {part.shape.dim(0), rows, rows == 0 ? 0 : output.byte_size() / rows});
  if (!slices.ok()) {
    return Annotate(slices.status(),
                    absl::StrCat(location(), ": ", kind(), ": group ",
                                 part.communicator.key().ToString()));
  }
  if (part.result.size() > 0) {
    part.queue.Copy(part.scope, part.result,
                    context.buffers.Address(operands_[1].slice));
  }
  return part.communicator.RaggedAllToAll(part.queue, part.scope, call,
                                          *std::move(slices), part.operand,
                                          part.result);
}

absl::StatusOr<std::vector<int64_t>> CollectiveThunk::LastOperand(
    ExecuteContext& context) const {
  const Shape& shape = operands_.back().shape;
  std::vector<std::byte> values(static_cast<size_t>(shape.byte_size()));
  RETURN_IF_ERROR(AwaitOnHost(context, operands_.back().slice, values.data()));
  std::vector<int64_t> integers(static_cast<size_t>(shape.element_count()));
  ConvertElements(
      LiteralView(shape, values.data()),
      MutableLiteralView(Shape(ElementType::kS64, shape.dims()),
                         reinterpret_cast<std::byte*>(integers.data())));
  return integers;
}

}  // namespace lockstep::internal
