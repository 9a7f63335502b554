#include "runtime/executable/collective_thunk.h"

#include <algorithm>
#include <cstring>
#include <optional>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/collectives/tensor_collectives.h"
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

void SetToZero(const MutableLiteralView& tensor) {
  absl::Span<std::byte> bytes = tensor.byte_span();
  if (!bytes.empty()) std::memset(bytes.data(), 0, bytes.size());
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
  }
  return "";
}

CollectiveThunk::CollectiveThunk(std::string location, Parameters parameters,
                                 std::vector<TensorSlice> operands,
                                 std::vector<TensorSlice> results)
    : HostThunk(CollectiveName(parameters.operation), std::move(location)),
      parameters_(std::move(parameters)),
      operands_(std::move(operands)),
      results_(std::move(results)),
      digest_(DigestOf(parameters_, operands_, results_)) {
  LOCKSTEP_CHECK(operands_.size() ==
                 results_.size() + (parameters_.has_dynamic_root ? 1 : 0));
}

std::vector<BufferUse> CollectiveThunk::buffer_uses() const {
  std::vector<BufferUse> uses;
  for (const TensorSlice& operand : operands_) {
    uses.push_back(BufferUse::Read(operand.slice));
  }
  for (const TensorSlice& result : results_) {
    uses.push_back(BufferUse::Write(result.slice));
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

absl::Status CollectiveThunk::ExecuteOnHost(HostContext& context) const {
  const int64_t number = context.collective_count++;
  AcquiredCliques::Clique* clique =
      context.cliques->Find(parameters_.clique_slot);
  if (clique == nullptr) {
    for (const TensorSlice& result : results_) {
      SetToZero(context.buffers.MutableView(result));
    }
    return absl::OkStatus();
  }
  std::string name;
  CollectiveCall call = CallOf(context, number, &name);
  context.progress->EnterCollective(number, name);
  for (size_t i = 0; i < results_.size(); ++i) {
    call.number = clique->collective_count++;
    Communicator& communicator = *clique->communicator;
    ASSIGN_OR_RETURN(
        const int root,
        RootOf(context, i,
               static_cast<int>(communicator.key().members().size())));
    const GlobalDeviceId device =
        communicator.key().members()[communicator.rank()].device;
    RETURN_IF_ERROR(context.ledger->Enter(device, communicator.key(),
                                          call.number, call.description));
    RETURN_IF_ERROR(Run(communicator, call, root,
                        context.buffers.View(operands_[i]),
                        context.buffers.MutableView(results_[i])));
    context.ledger->Leave(device);
  }
  context.progress->LeaveCollective();
  return absl::OkStatus();
}

CollectiveCall CollectiveThunk::CallOf(const HostContext& context,
                                       int64_t number,
                                       std::string* name) const {
  *name = absl::StrCat(kind(), " #", number);
  CollectiveCall call;
  call.epoch = context.launch->epoch;
  call.launch_stream = context.launch->stream;
  call.launch = context.launch->number;
  std::copy(context.launch->recent_programs.begin(),
            context.launch->recent_programs.end(), call.recent_programs);
  call.digest = digest_;
  call.description =
      absl::StrCat(*name, " of launch ", context.launch->number.value(), " (",
                   context.launch->program, "), ", location());
  call.cancellation = context.cancellation;
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
  std::vector<std::vector<HostContext*>> groups(parameters_.groups.size());
  for (ExecuteContext* context : contexts) {
    const int32_t id = context->host.flattened_id;
    const auto group = std::find_if(
        parameters_.groups.begin(), parameters_.groups.end(),
        [id](const std::vector<int32_t>& group) {
          return std::find(group.begin(), group.end(), id) != group.end();
        });
    if (group == parameters_.groups.end()) {
      RETURN_IF_ERROR(Execute(*context));  // zeros
    } else {
      groups[group - parameters_.groups.begin()].push_back(&context->host);
    }
  }
  for (const auto& group : groups) {
    if (!group.empty()) RETURN_IF_ERROR(AllReduceTogether(group));
  }
  return absl::OkStatus();
}

absl::Status CollectiveThunk::AllReduceTogether(
    absl::Span<HostContext* const> contexts) const {
  const int64_t number = contexts[0]->collective_count;
  std::string name;
  CollectiveCall call = CallOf(*contexts[0], number, &name);
  for (HostContext* context : contexts) {
    ++context->collective_count;
    context->progress->EnterCollective(number, name);
  }
  for (size_t i = 0; i < results_.size(); ++i) {
    std::vector<RankOperand> ranks;
    Communicator* communicator = nullptr;
    for (HostContext* context : contexts) {
      AcquiredCliques::Clique* clique =
          context->cliques->Find(parameters_.clique_slot);
      communicator = clique->communicator.get();
      call.number = clique->collective_count++;
      ranks.push_back({communicator->rank(),
                       context->buffers.View(operands_[i]).bytes(),
                       context->buffers.MutableView(results_[i]).bytes()});
    }
    // No ledger: what is not nested is decided by nobody.
    RETURN_IF_ERROR(communicator->AllReduceTogether(
        call, ranks, results_[i].shape.element_count(),
        *parameters_.reduction));
  }
  for (HostContext* context : contexts) context->progress->LeaveCollective();
  return absl::OkStatus();
}

absl::Status CollectiveThunk::Run(Communicator& communicator,
                                  const CollectiveCall& call, int root,
                                  const LiteralView& operand,
                                  const MutableLiteralView& result) const {
  switch (parameters_.operation) {
    case Operation::kAllReduce:
      return AllReduceTensor(communicator, call, *parameters_.reduction,
                             operand, result);
    case Operation::kAllGather:
      return AllGatherTensor(communicator, call, parameters_.dim, operand,
                             result);
    case Operation::kReduceScatter:
      return ReduceScatterTensor(communicator, call, *parameters_.reduction,
                                 parameters_.dim, operand, result);
    case Operation::kAllToAll:
      return AllToAllTensor(communicator, call, parameters_.dim,
                            parameters_.concat_dim, operand, result);
    case Operation::kPermute:
      return Permute(communicator, call, operand, result);
    case Operation::kBroadcast:
      return communicator.Broadcast(call, root, operand.byte_span(),
                                    result.byte_span());
    case Operation::kReduce:
      RETURN_IF_ERROR(AllReduceTensor(communicator, call,
                                      *parameters_.reduction, operand, result));
      if (communicator.rank() != root) SetToZero(result);
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

absl::StatusOr<int> CollectiveThunk::RootOf(const HostContext& context,
                                            size_t i, int rank_count) const {
  if (!parameters_.has_dynamic_root) return 0;
  const LiteralView root = context.buffers.View(operands_.back());
  Literal ranks(Shape(ElementType::kS64, root.shape().dims()));
  ConvertElements(root, ranks.mutable_view());
  const int64_t rank = ranks.data<int64_t>()[i];
  if (rank >= 0 && rank < rank_count) return static_cast<int>(rank);
  return absl::InvalidArgumentError(
      absl::StrCat(location(), ": stablehlo.", kind(), ": root: expected 0 to ",
                   rank_count - 1, ", found ", rank));
}

absl::Status CollectiveThunk::Permute(Communicator& communicator,
                                      const CollectiveCall& call,
                                      const LiteralView& operand,
                                      const MutableLiteralView& result) const {
  const std::vector<int32_t>& group = parameters_.groups.at(0);
  auto rank_of = [&](int32_t id) {
    return static_cast<int>(std::find(group.begin(), group.end(), id) -
                            group.begin());
  };
  std::optional<int> source;
  std::vector<int> targets;
  for (const auto& [from, to] : parameters_.pairs) {
    if (rank_of(to) == communicator.rank()) source = rank_of(from);
    if (rank_of(from) == communicator.rank()) targets.push_back(rank_of(to));
  }
  return communicator.Permute(call, source, targets, operand.byte_span(),
                              result.byte_span());
}

}  // namespace lockstep::internal
