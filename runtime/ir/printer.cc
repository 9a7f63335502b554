#include "runtime/ir/printer.h"

#include "absl/strings/str_cat.h"
#include "runtime/ir/attribute_printer.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/value_names.h"

namespace lockstep::internal {
namespace {

// Writes one function or one op.
class FunctionPrinter : public AssemblyWriter {
 public:
  FunctionPrinter(const PrintOptions& options, std::string* out)
      : options_(options), out_(*out) {}

  void PrintFunction(const Function& function);
  void PrintOp(const Op& op);
  // PrintOp without a function around it.
  void PrintLoneOp(const Op& op);

  void Write(absl::string_view text) override { absl::StrAppend(&out_, text); }
  void WriteOperand(const Value* value) override;
  void WriteOperands(absl::Span<Value* const> values) override;
  void WriteType(const Type& type) override { out_ += type.ToString(); }
  void WriteFunctionType(const Op& op) override;
  void WriteAttribute(const Attribute& attribute) override {
    AppendAttribute(attribute, options_, &out_);
  }
  void WriteAttributes(const AttributeMap& attributes,
                       absl::Span<const absl::string_view> except) override;
  void WriteRegion(const Region& region) override;

 private:
  void NewLine() {
    out_ += '\n';
    out_.append(static_cast<size_t>(2 * indent_), ' ');
  }
  void PrintGeneric(const Op& op);
  void PrintLocation(const Location& location);
  void PrintGenericRegion(const Region& region);
  void PrintOps(const Region& region);
  void PrintResultTypes(const Function& function);
  void WriteTypes(const std::vector<Type>& types, bool brackets);
  void WriteTrailer(const AttributeMap& attributes);

  const PrintOptions& options_;
  std::string& out_;
  int indent_ = 0;
  ValueNames names_;
};

void FunctionPrinter::WriteOperand(const Value* value) {
  out_ += names_.Of(value);
}

void FunctionPrinter::WriteOperands(absl::Span<Value* const> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out_ += ", ";
    WriteOperand(values[i]);
  }
}

void FunctionPrinter::WriteTypes(const std::vector<Type>& types,
                                 bool brackets) {
  if (brackets) out_ += '(';
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) out_ += ", ";
    WriteType(types[i]);
  }
  if (brackets) out_ += ')';
}

void FunctionPrinter::WriteFunctionType(const Op& op) {
  std::vector<Type> types;
  for (const Value* operand : op.operands()) types.push_back(operand->type());
  WriteTypes(types, true);
  out_ += " -> ";
  types.clear();
  for (const auto& result : op.results()) types.push_back(result->type());
  WriteTypes(types, types.size() != 1);
}

void FunctionPrinter::WriteAttributes(
    const AttributeMap& attributes,
    absl::Span<const absl::string_view> except) {
  const size_t before = out_.size();
  out_ += " {";
  const size_t inside = out_.size();
  AppendAttributes(attributes, except, options_, &out_);
  if (out_.size() == inside) {
    out_.resize(before);
  } else {
    out_ += '}';
  }
}

void FunctionPrinter::PrintOps(const Region& region) {
  ++indent_;
  for (const auto& op : region.ops()) {
    NewLine();
    PrintOp(*op);
  }
  --indent_;
  NewLine();
}

void FunctionPrinter::WriteRegion(const Region& region) {
  out_ += '{';
  PrintOps(region);
  out_ += '}';
}

void FunctionPrinter::PrintGenericRegion(const Region& region) {
  out_ += '{';
  if (!region.arguments().empty()) {
    NewLine();
    out_ += "^bb0(";
    for (size_t i = 0; i < region.arguments().size(); ++i) {
      const Value* argument = region.arguments()[i].get();
      if (i > 0) out_ += ", ";
      WriteOperand(argument);
      absl::StrAppend(&out_, ": ", argument->type().ToString());
    }
    out_ += "):";
  }
  PrintOps(region);
  out_ += '}';
}

void FunctionPrinter::PrintGeneric(const Op& op) {
  AppendQuoted(op.name(), &out_);
  out_ += '(';
  WriteOperands(op.operands());
  out_ += ')';
  if (!op.attributes().empty()) {
    out_ += " <{";
    AppendAttributes(op.attributes(), {}, options_, &out_);
    out_ += "}>";
  }
  if (!op.regions().empty()) {
    out_ += " (";
    for (int i = 0; i < op.region_count(); ++i) {
      if (i > 0) out_ += ", ";
      PrintGenericRegion(op.region(i));
    }
    out_ += ')';
  }
  out_ += " : ";
  WriteFunctionType(op);
}

void FunctionPrinter::PrintOp(const Op& op) {
  if (op.result_count() > 0) {
    absl::StrAppend(&out_, names_.OfResults(op));
    if (op.result_count() > 1) absl::StrAppend(&out_, ":", op.result_count());
    out_ += " = ";
  }
  const bool has_form = op.def() != nullptr && op.def()->assembly().print;
  if (options_.generic || !has_form) {
    PrintGeneric(op);
  } else {
    absl::string_view name = op.name();
    if (name == "func.call") name = "call";
    if (name == "func.return") name = "return";
    absl::StrAppend(&out_, name);
    op.def()->assembly().print(op, *this);
  }
  if (options_.locations) PrintLocation(op.location());
}

void FunctionPrinter::PrintLoneOp(const Op& op) {
  names_.NameOp(op);
  PrintOp(op);
}

void FunctionPrinter::PrintLocation(const Location& location) {
  if (location.source != nullptr) return PrintLocation(*location.source);
  if (location.file == nullptr || location.line == 0) return;
  out_ += " loc(";
  AppendQuoted(*location.file, &out_);
  absl::StrAppend(&out_, ":", location.line, ":", location.column, ")");
}

void FunctionPrinter::WriteTrailer(const AttributeMap& attributes) {
  if (!attributes.empty()) WriteAttributes(attributes, {});
}

void FunctionPrinter::PrintResultTypes(const Function& function) {
  const std::vector<Type>& types = function.result_types();
  if (types.empty()) return;
  out_ += " -> ";
  const bool brackets =
      types.size() > 1 || !function.result_attributes()[0].empty();
  if (brackets) out_ += '(';
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) out_ += ", ";
    WriteType(types[i]);
    WriteTrailer(function.result_attributes()[i]);
  }
  if (brackets) out_ += ')';
}

void FunctionPrinter::PrintFunction(const Function& function) {
  names_.NameRegion(function.body());
  absl::StrAppend(&out_, "  func.func ",
                  function.is_private() ? "private " : "public ");
  AppendSymbol(function.name(), &out_);
  out_ += '(';
  const auto& arguments = function.body().arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) out_ += ", ";
    WriteOperand(arguments[i].get());
    absl::StrAppend(&out_, ": ", arguments[i]->type().ToString());
    WriteTrailer(function.argument_attributes(static_cast<int>(i)));
  }
  out_ += ')';
  PrintResultTypes(function);
  if (!function.attributes().empty()) {
    out_ += " attributes";
    WriteAttributes(function.attributes(), {});
  }
  out_ += ' ';
  indent_ = 1;
  WriteRegion(function.body());
  out_ += '\n';
}

}  // namespace

std::string Print(const Module& module, const PrintOptions& options) {
  std::string out = "module";
  if (!module.name().empty()) {
    out += ' ';
    AppendSymbol(module.name(), &out);
  }
  if (!module.attributes().empty()) {
    out += " attributes {";
    AppendAttributes(module.attributes(), {}, options, &out);
    out += '}';
  }
  out += " {\n";
  for (const auto& [name, mesh] : module.meshes().entries()) {
    out += "  sdy.mesh ";
    AppendSymbol(name, &out);
    absl::StrAppend(&out, " = ", mesh.ToString(), "\n");
  }
  for (const std::string& op : module.opaque_ops()) {
    absl::StrAppend(&out, "  ", op, "\n");
  }
  for (const auto& function : module.functions()) {
    FunctionPrinter(options, &out).PrintFunction(*function);
  }
  out += "}\n";
  return out;
}

std::string Print(const Op& op, const PrintOptions& options) {
  std::string out;
  FunctionPrinter(options, &out).PrintLoneOp(op);
  return out;
}

std::string CanonicalText(const Module& module) {
  return Print(module, PrintOptions());
}

}  // namespace lockstep::internal
