#include "runtime/conformance/case_content.h"

#include <set>

#include "runtime/conformance/check_dialect.h"
#include "runtime/conformance/interpreter_dialect.h"

namespace lockstep::internal {
namespace {

class ContentCollector {
 public:
  explicit ContentCollector(const Module& module) : module_(module) {}

  // Chains of calls may be long: no recursion.
  void Visit(const Function& function) {
    Note(function);
    while (!to_visit_.empty()) {
      const Function* next = to_visit_.back();
      to_visit_.pop_back();
      for (const auto& op : next->body().ops()) {
        NoteNamed(op->attributes());
        if (IsOfInterest(*op)) Add(*op);
      }
    }
  }

  CaseContent Content() const {
    return {{ops_.begin(), ops_.end()}, {types_.begin(), types_.end()}};
  }

 private:
  static bool IsOfInterest(const Op& op) {
    const std::string& name = op.name();
    return name != "stablehlo.constant" && name != "func.return" &&
           name != "func.call" && name != "stablehlo.custom_call" &&
           name != kUnfoldableConstantOp && !IsInterpreterOp(op) &&
           !IsCheck(op);
  }

  void Add(const Op& op) {
    ops_.insert(op.name());
    for (const Value* operand : op.operands()) AddType(operand->type());
    for (const auto& result : op.results()) AddType(result->type());
  }

  void AddType(const Type& type) {
    if (!type.is_tensor()) return;
    types_.insert(std::string(StablehloName(type.shape().element_type())));
  }

  void Note(const Function& function) {
    if (visited_.insert(&function).second) to_visit_.push_back(&function);
  }
  void NoteNamed(const AttributeMap& attributes) {
    for (const auto& [name, value] : attributes.entries()) NoteNamed(value);
  }
  void NoteNamed(const Attribute& attribute) {
    if (const auto* array = attribute.As<Attribute::Array>()) {
      for (const Attribute& element : array->elements) NoteNamed(element);
    }
    if (const auto* symbol = attribute.As<Attribute::Symbol>()) {
      const Function* function = module_.FindFunction(symbol->name);
      if (function != nullptr) Note(*function);
    }
  }

  const Module& module_;
  std::set<const Function*> visited_;
  std::vector<const Function*> to_visit_;
  std::set<std::string> ops_;
  std::set<std::string> types_;
};

}  // namespace

std::vector<const Function*> CaseFunctions(const Module& module,
                                           const RunLine& run) {
  const Function* main = module.FindFunction("main");
  if (main != nullptr &&
      (main->body().arguments().empty() || !run.arguments.empty())) {
    return {main};
  }
  std::vector<const Function*> functions;
  for (const auto& function : module.functions()) {
    if (!function->is_private() && function->body().arguments().empty()) {
      functions.push_back(function.get());
    }
  }
  return functions;
}

CaseContent ContentOf(const Module& module, const Function& function) {
  ContentCollector collector(module);
  collector.Visit(function);
  return collector.Content();
}

const Function* CalleeOf(const Op& call, const Module& module) {
  const Attribute* callee = call.attribute("callee");
  const auto* symbol =
      callee == nullptr ? nullptr : callee->As<Attribute::Symbol>();
  return symbol == nullptr ? nullptr : module.FindFunction(symbol->name);
}

const Op* ProducerOf(const Value& value, const Module& module) {
  const Value* at = &value;
  // Functions may call themselves: the module is not verified.
  for (int depth = 0; depth < 64 && at->defining_op() != nullptr; ++depth) {
    const Op* op = at->defining_op();
    if (op->name() != "func.call") return op;
    const Function* callee = CalleeOf(*op, module);
    const Op* end = callee == nullptr ? nullptr : callee->body().terminator();
    if (end == nullptr || end->operand_count() <= at->index()) return op;
    at = end->operand(at->index());
  }
  return at->defining_op();
}

}  // namespace lockstep::internal
