#include "runtime/conformance/case_program.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/conformance/case_content.h"
#include "runtime/conformance/function_copy.h"
#include "runtime/conformance/interpreter_dialect.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/elements_literal.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/verifier.h"

namespace lockstep::internal {
namespace {

using LiteralPtr = std::shared_ptr<const Literal>;

bool IsReturn(const Op& op) { return op.name() == "func.return"; }

// Null when the op is no constant.
absl::StatusOr<LiteralPtr> ConstantOf(const Op& op) {
  if (op.name() != "stablehlo.constant" && op.name() != kUnfoldableConstantOp) {
    return nullptr;
  }
  const Attribute* value = op.attribute("value");
  const auto* elements =
      value == nullptr ? nullptr : value->As<Attribute::Elements>();
  if (elements == nullptr || op.result_count() != 1) return nullptr;
  ASSIGN_OR_RETURN(Literal literal, AllocateLiteral(*elements));
  return std::make_shared<const Literal>(std::move(literal));
}

// What a function that only returns constants returns; empty otherwise.
absl::StatusOr<std::vector<LiteralPtr>> ReturnedConstants(
    const Function& function) {
  absl::flat_hash_map<const Value*, LiteralPtr> constants;
  std::vector<LiteralPtr> returned;
  for (const auto& op : function.body().ops()) {
    if (IsReturn(*op)) {
      for (const Value* value : op->operands()) {
        const auto found = constants.find(value);
        if (found == constants.end()) return std::vector<LiteralPtr>();
        returned.push_back(found->second);
      }
      continue;
    }
    ASSIGN_OR_RETURN(LiteralPtr literal, ConstantOf(*op));
    if (literal == nullptr) return std::vector<LiteralPtr>();
    constants[op->result()] = std::move(literal);
  }
  return returned;
}

// The operands of all ops but checks and returns.
void CollectUsed(const Region& region,
                 absl::flat_hash_set<const Value*>& used) {
  for (const auto& op : region.ops()) {
    if (IsCheck(*op) || IsReturn(*op)) continue;
    used.insert(op->operands().begin(), op->operands().end());
    for (const auto& inner : op->regions()) CollectUsed(*inner, used);
  }
}

class CaseProgramBuilder {
 public:
  CaseProgramBuilder(const Module& source, const Function& function,
                     CaseProgramOptions options)
      : source_(source), function_(function), options_(std::move(options)) {}

  absl::StatusOr<CaseProgram> Build() {
    Module& module = *program_.module;
    module.attributes() = source_.attributes();
    Function* entry = module.AddFunction("main", function_.location());
    body_ = &entry->body();
    CollectUsed(function_.body(), used_);
    RETURN_IF_ERROR(TakeArguments());
    RETURN_IF_ERROR(CopyBody());
    RETURN_IF_ERROR(ReadChecks());
    if (options_.keeps_returned) TakeReturned();
    Return(*entry);
    CopyNamedFunctions(source_, module);
    RETURN_IF_ERROR(VerifyAndExpand(program_.module));
    return std::move(program_);
  }

 private:
  // A constant of the source, which is no op of the program: an argument if
  // ops use it.
  void TakeConstant(const Value* value, LiteralPtr literal) {
    if (used_.contains(value)) {
      program_.arguments.push_back(*literal);
      map_.Set(value, body_->AddArgument(value->type()));
    }
    constants_[value] = std::move(literal);
  }

  absl::Status TakeArguments() {
    const std::vector<Type> types = function_.argument_types();
    if (types.size() != options_.arguments.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("@", function_.name(), ": expected ", types.size(),
                       " arguments, found ", options_.arguments.size()));
    }
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i] != Type(options_.arguments[i].shape())) {
        return absl::InvalidArgumentError(
            absl::StrCat("@", function_.name(), ": argument ", i, ": expected ",
                         types[i].ToString(), ", found ",
                         options_.arguments[i].shape().ToString()));
      }
      map_.Set(function_.body().arguments()[i].get(),
               body_->AddArgument(types[i]));
    }
    program_.arguments = std::move(options_.arguments);
    return absl::OkStatus();
  }

  void TakeReturned() {
    const Op* end = function_.body().terminator();
    if (end == nullptr) return;
    for (Value* value : end->operands()) {
      if (value->type().is_tensor()) program_.returned.push_back(Take(value));
    }
  }

  // Whether the op is a constant, which needs no copy.
  absl::StatusOr<bool> TakeConstants(const Op& op) {
    if (op.name() == "func.call" && op.operands().empty()) {
      const Function* callee = CalleeOf(op, source_);
      if (callee == nullptr) return false;
      ASSIGN_OR_RETURN(const std::vector<LiteralPtr> values,
                       ReturnedConstants(*callee));
      if (values.empty() ||
          static_cast<int>(values.size()) != op.result_count()) {
        return false;
      }
      for (int i = 0; i < op.result_count(); ++i) {
        TakeConstant(op.result(i), values[i]);
      }
      return true;
    }
    ASSIGN_OR_RETURN(LiteralPtr literal, ConstantOf(op));
    if (literal == nullptr) return false;
    const bool stays =
        op.name() == "stablehlo.constant" && !used_.contains(op.result());
    if (!stays) TakeConstant(op.result(), std::move(literal));
    return !stays;
  }

  absl::Status CopyBody() {
    for (const auto& op : function_.body().ops()) {
      if (op->name() == kRunParallelOp) {
        ASSIGN_OR_RETURN(const ProcessGrid grid, ReadProcessGrid(*op, source_));
        SetGrid(*program_.module, grid.replicas, grid.partitions);
      }
      if (IsCheck(*op) || IsReturn(*op)) continue;
      ASSIGN_OR_RETURN(const bool is_taken, TakeConstants(*op));
      if (!is_taken) body_->Append(CloneOp(*op, map_));
    }
    return absl::OkStatus();
  }

  absl::Status ReadChecks() {
    for (const auto& op : function_.body().ops()) {
      if (!IsCheck(*op)) continue;
      ASSIGN_OR_RETURN(const Check check, ReadCheck(*op));
      ProgramCheck compared;
      compared.rule = check.rule;
      compared.location = op->location().ToString();
      if (const Op* producer = ProducerOf(*check.found, source_)) {
        compared.op = producer->name();
      }
      compared.found = Take(check.found);
      if (check.constant != nullptr) {
        ASSIGN_OR_RETURN(
            Literal literal,
            AllocateLiteral(*check.constant->As<Attribute::Elements>()));
        compared.expected.literal =
            std::make_shared<const Literal>(std::move(literal));
      } else if (check.probe.has_value()) {
        compared.expected.probe = check.probe;
      } else {
        compared.expected = Take(check.expected);
      }
      program_.checks.push_back(std::move(compared));
    }
    return absl::OkStatus();
  }

  CheckedValue Take(Value* value) {
    CheckedValue taken;
    const auto constant = constants_.find(value);
    if (constant != constants_.end()) {
      taken.literal = constant->second;
      return taken;
    }
    const auto [entry, is_new] =
        results_.try_emplace(value, static_cast<int>(returned_.size()));
    if (is_new) returned_.push_back(map_.Find(value));
    taken.result = entry->second;
    return taken;
  }

  void Return(Function& entry) {
    OpState state;
    state.name = "func.return";
    state.def = OpRegistry::Get().Find(state.name);
    state.location = function_.location();
    state.operands = returned_;
    std::vector<Type> types;
    for (const Value* value : returned_) types.push_back(value->type());
    entry.set_result_types(std::move(types));
    body_->Append(std::make_unique<Op>(std::move(state)));
  }

  static void SetGrid(Module& module, int replicas, int partitions) {
    module.attributes().Set("mhlo.num_replicas", Attribute::I32(replicas));
    module.attributes().Set("mhlo.num_partitions", Attribute::I32(partitions));
  }

  const Module& source_;
  const Function& function_;
  CaseProgramOptions options_;
  CaseProgram program_{std::make_unique<Module>(), {}, {}, {}};
  ValueMap map_;
  Region* body_ = nullptr;
  absl::flat_hash_set<const Value*> used_;
  absl::flat_hash_map<const Value*, LiteralPtr> constants_;
  absl::flat_hash_map<const Value*, int> results_;
  std::vector<Value*> returned_;
};

}  // namespace

absl::StatusOr<CaseProgram> BuildCaseProgram(const Module& module,
                                             const Function& function,
                                             CaseProgramOptions options) {
  return CaseProgramBuilder(module, function, std::move(options)).Build();
}

absl::StatusOr<std::unique_ptr<Module>> ExtractProgram(const Module& module,
                                                       const Function& function,
                                                       int replicas,
                                                       int partitions) {
  auto program = std::make_unique<Module>();
  program->attributes() = module.attributes();
  program->attributes().Set("mhlo.num_replicas", Attribute::I32(replicas));
  program->attributes().Set("mhlo.num_partitions", Attribute::I32(partitions));
  CopyFunction(function, "main", *program);
  CopyNamedFunctions(module, *program);
  RETURN_IF_ERROR(Verify(*program));
  return program;
}

absl::StatusOr<ProcessGrid> ReadProcessGrid(const Op& op,
                                            const Module& module) {
  if (op.attribute("infeed") != nullptr) return op.Unimplemented("infeed");
  const Attribute* attribute = op.attribute("programs");
  const auto* rows =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Array>();
  const absl::Status malformed =
      op.Error("programs: expected [[@f, ..], ..] with rows of one size");
  if (rows == nullptr || rows->elements.empty()) return malformed;
  ProcessGrid grid;
  grid.replicas = static_cast<int>(rows->elements.size());
  for (const Attribute& element : rows->elements) {
    const auto* row = element.As<Attribute::Array>();
    if (row == nullptr || row->elements.empty()) return malformed;
    for (const Attribute& name : row->elements) {
      const auto* symbol = name.As<Attribute::Symbol>();
      if (symbol == nullptr) return malformed;
      const Function* program = module.FindFunction(symbol->name);
      if (program == nullptr) {
        return op.Error(absl::StrCat("no function @", symbol->name));
      }
      grid.programs.push_back(program);
    }
    if (&element == &rows->elements[0]) {
      grid.partitions = static_cast<int>(row->elements.size());
    }
    if (static_cast<int>(row->elements.size()) != grid.partitions) {
      return malformed;
    }
  }
  return grid;
}

}  // namespace lockstep::internal
