#include "client/jit/lowered.h"

#include "client/jit/resolve_custom_partitions.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/pass_manager.h"
#include "runtime/ir/printer.h"
#include "runtime/passes/export/export_gspmd.h"
#include "runtime/passes/op_cost.h"
#include "runtime/passes/partition/partition_module.h"

namespace lockstep {

std::string Lowered::as_text() const {
  return internal::Print(*program_.module);
}

absl::StatusOr<std::string> Lowered::as_text(ShardingForm form) const {
  if (form == ShardingForm::kShardy) return as_text();
  const std::unique_ptr<internal::Module> module =
      internal::CloneModule(*program_.module);
  internal::PassManager passes;
  passes.Add(internal::ExportGspmd());
  RETURN_IF_ERROR(passes.Run(*module));
  return internal::Print(*module);
}

absl::StatusOr<PartitionedProgram> Lowered::compile() const {
  ASSIGN_OR_RETURN(const internal::JitProgram program,
                   internal::ResolveCustomPartitions(program_));
  std::unique_ptr<internal::Module> local =
      internal::CloneModule(*program.module);
  RETURN_IF_ERROR(internal::PartitionModule(*local).status());
  return PartitionedProgram(std::move(local));
}

std::string PartitionedProgram::as_text() const {
  return internal::Print(*module_);
}

ProgramCost PartitionedProgram::cost() const {
  ProgramCost cost;
  for (const auto& function : module_->functions()) {
    for (const auto& op : function->body().ops()) {
      const internal::OpCost of_op = internal::EstimateCost(*op);
      cost.flops += of_op.flops;
      cost.bytes_accessed += static_cast<double>(of_op.bytes_read) +
                             static_cast<double>(of_op.bytes_written);
      cost.bytes_communicated += of_op.bytes_sent;
    }
  }
  return cost;
}

}  // namespace lockstep
