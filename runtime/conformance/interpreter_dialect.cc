#include "runtime/conformance/interpreter_dialect.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/conformance/tensor_text.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

constexpr char kProbeOp[] = "interpreter.probe";
constexpr char kPrintOp[] = "interpreter.print";
constexpr char kNames[] = "names";  // of NamePrintedValues

const ScopedCaseRun* current_run = nullptr;

OpDef InterpreterOp(absl::string_view name) {
  return OpDef(std::string(name), OpKind::kCustomCall);
}

const std::string* StringAttribute(const Op& op, absl::string_view name) {
  const Attribute* attribute = op.attribute(name);
  const auto* string =
      attribute == nullptr ? nullptr : attribute->As<Attribute::String>();
  return string == nullptr ? nullptr : &string->value;
}

// "%a, probe_id = \"p\" : T".
absl::Status ParseProbe(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 1));
  RETURN_IF_ERROR(reader.Expect(","));
  RETURN_IF_ERROR(reader.Expect("probe_id"));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(std::string id, reader.ParseString());
  state.attributes.Set("probe_id", Attribute::String{std::move(id)});
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  RETURN_IF_ERROR(reader.ParseTypeOf(state.operands[0]));
  state.result_types = {state.operands[0]->type()};
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Type>> InferProbe(const Op& op) {
  if (op.operand_count() != 1 || !op.operand(0)->type().is_tensor()) {
    return op.Error("expected a tensor");
  }
  if (StringAttribute(op, "probe_id") == nullptr) {
    return op.Error("probe_id: expected a string");
  }
  return std::vector<Type>{op.operand(0)->type()};
}

// "%a, %b : T, U".
absl::Status ParsePrint(AssemblyReader& reader, OpState& state) {
  do {
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
  } while (reader.TryConsume(","));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  ASSIGN_OR_RETURN(const std::vector<Type> types, ParseTypes(reader));
  return CheckOperandTypes(reader, state, types);
}

void PrintNothing(const Op&, AssemblyWriter&) {}

std::string NameOf(const Value& value, int number) {
  const Op* op = value.defining_op();
  if (op == nullptr) return absl::StrCat("%arg", value.index());
  if (op->result_count() == 1) return absl::StrCat("%", number);
  return absl::StrCat("%", number, "#", value.index());
}

// Ops with results are numbered in their order, regions with their ops.
class PrintedNames {
 public:
  void Visit(Region& region) {
    for (const auto& op : region.ops()) {
      if (op->name() == kPrintOp) Name(*op);
      if (op->result_count() > 0) numbers_[op.get()] = next_++;
      for (const auto& nested : op->regions()) Visit(*nested);
    }
  }

 private:
  void Name(Op& op) const {
    Attribute::Array names;
    for (const Value* operand : op.operands()) {
      const auto number = numbers_.find(operand->defining_op());
      names.elements.push_back(Attribute::String{
          NameOf(*operand, number == numbers_.end() ? 0 : number->second)});
    }
    op.mutable_attributes().Set(kNames, std::move(names));
  }

  absl::flat_hash_map<const Op*, int> numbers_;
  int next_ = 0;
};

}  // namespace

// What the ops do when they are evaluated.
struct CaseRunHooks {
  static absl::Status RunParallel(
      EvaluationContext&, const Op& op, absl::Span<const LiteralView> operands,
      absl::Span<const MutableLiteralView> results) {
    if (current_run == nullptr) return op.Unimplemented("not here");
    return current_run->run_parallel_(op, operands, results);
  }

  static absl::Status Probe(EvaluationContext&, const Op& op,
                            absl::Span<const LiteralView> operands,
                            absl::Span<const MutableLiteralView> results) {
    std::memcpy(results[0].bytes(), operands[0].bytes(),
                results[0].byte_span().size());
    if (current_run == nullptr) return op.Unimplemented("not here");
    current_run->record_.AddProbe(*StringAttribute(op, "probe_id"),
                                  operands[0]);
    return absl::OkStatus();
  }

  static absl::Status Print(EvaluationContext&, const Op& op,
                            absl::Span<const LiteralView> operands,
                            absl::Span<const MutableLiteralView>) {
    if (current_run == nullptr) return op.Unimplemented("not here");
    const Attribute* names = op.attribute(kNames);
    const auto* list =
        names == nullptr ? nullptr : names->As<Attribute::Array>();
    std::string text;
    for (size_t i = 0; i < operands.size(); ++i) {
      const Attribute::String* name =
          list == nullptr || i >= list->elements.size()
              ? nullptr
              : list->elements[i].As<Attribute::String>();
      if (name != nullptr) absl::StrAppend(&text, name->value, " = ");
      absl::StrAppend(&text, TensorText(operands[i]), "\n");
    }
    current_run->record_.AddText(text);
    return absl::OkStatus();
  }
};

void RegisterInterpreterDialect() {
  OpRegistry& registry = OpRegistry::Get();
  registry.Add(
      InterpreterOp(kRunParallelOp).Evaluate(CaseRunHooks::RunParallel));
  registry.Add(InterpreterOp(kProbeOp)
                   .Assembly({ParseProbe, PrintNothing})
                   .Infer(InferProbe)
                   .Evaluate(CaseRunHooks::Probe));
  registry.Add(InterpreterOp(kPrintOp)
                   .Assembly({ParsePrint, PrintNothing})
                   .Evaluate(CaseRunHooks::Print));
}

bool IsInterpreterOp(const Op& op) {
  return absl::StartsWith(op.name(), "interpreter.");
}

void NamePrintedValues(Module& module) {
  for (const auto& function : module.functions()) {
    PrintedNames().Visit(function->body());
  }
}

ScopedCaseRun::ScopedCaseRun(RunParallelFn run_parallel, RunRecord& record)
    : run_parallel_(std::move(run_parallel)), record_(record) {
  current_run = this;
}

ScopedCaseRun::~ScopedCaseRun() { current_run = nullptr; }

}  // namespace lockstep::internal
