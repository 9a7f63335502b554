#include "client/tracer/trace_text.h"

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {
namespace {

// The ops that the returns of `block` need, those in regions included.
class LiveOps {
 public:
  explicit LiveOps(const TraceBlock& block) {
    Need(block);
    while (!pending_.empty()) {
      const TraceOp* op = pending_.back();
      pending_.pop_back();
      for (const TraceValue* operand : op->operands) Need(operand);
      for (const auto& region : op->regions) Need(*region);
    }
  }
  bool contains(const TraceOp& op) const { return live_.contains(&op); }

 private:
  void Need(const TraceBlock& block) {
    for (const TraceValue* value : block.returns) Need(value);
  }
  void Need(const TraceValue* value) {
    if (value->op != nullptr && live_.insert(value->op).second) {
      pending_.push_back(value->op);
    }
  }

  absl::flat_hash_set<const TraceOp*> live_;
  std::vector<const TraceOp*> pending_;
};

class ModulePrinter {
 public:
  ModulePrinter(const TraceBlock& main, const LiveOps& live)
      : main_(main), live_(live) {
    Number(main, 0, 0);
  }

  std::string Print(absl::string_view name, int64_t replicas) {
    absl::StrAppend(&out_, "module @", name,
                    " attributes {mhlo.num_partitions = 1 : i32, "
                    "mhlo.num_replicas = ",
                    replicas, " : i32} {\n  func.func public @main(",
                    Arguments(main_), ")", ResultTypes(), " {\n");
    PrintOps(main_, 4);
    PrintReturn("return", main_, 4);
    out_ += "  }\n}\n";
    return std::move(out_);
  }

 private:
  // Regions are numbered after all values of the block around them.
  void Number(const TraceBlock& block, int next_value, int next_argument) {
    for (const auto& argument : block.arguments) {
      names_[argument.get()] = absl::StrCat("%arg", next_argument++);
    }
    for (const auto& op : block.ops) {
      if (!live_.contains(*op) || op->results.empty()) continue;
      const std::string name = op->name_hint.empty()
                                   ? absl::StrCat("%", next_value++)
                                   : Unique(op->name_hint);
      op_names_[op.get()] = name;
      for (size_t i = 0; i < op->results.size(); ++i) {
        names_[op->results[i].get()] =
            op->results.size() == 1 ? name : absl::StrCat(name, "#", i);
      }
    }
    for (const auto& op : block.ops) {
      if (!live_.contains(*op)) continue;
      for (const auto& region : op->regions) {
        Number(*region, next_value, next_argument);
      }
    }
  }

  std::string Unique(const std::string& hint) {
    std::string name = absl::StrCat("%", hint);
    while (!used_.insert(name).second) {
      name = absl::StrCat("%", hint, "_", next_conflict_++);
    }
    return name;
  }

  std::string Arguments(const TraceBlock& block) const {
    return absl::StrJoin(block.arguments, ", ",
                         [&](std::string* out, const auto& argument) {
                           absl::StrAppend(out, names_.at(argument.get()), ": ",
                                           argument->shape.ToString());
                         });
  }

  std::string ResultTypes() const {
    if (main_.returns.empty()) return "";
    std::string types = absl::StrJoin(main_.returns, ", ", AppendType);
    return main_.returns.size() == 1 ? absl::StrCat(" -> ", types)
                                     : absl::StrCat(" -> (", types, ")");
  }

  void PrintOps(const TraceBlock& block, int indent) {
    for (const auto& op : block.ops) {
      if (live_.contains(*op)) PrintOp(*op, indent);
    }
  }

  void PrintOp(const TraceOp& op, int indent) {
    out_.append(indent, ' ');
    absl::StrAppend(&out_, op_names_.at(&op));
    if (op.results.size() > 1) absl::StrAppend(&out_, ":", op.results.size());
    out_ += " = ";
    const std::string& text = op.text;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '$') {
        out_ += text[i];
      } else if (text[i + 1] == 'R') {
        PrintRegions(op, indent);
        ++i;
      } else {
        size_t operand = 0;
        while (i + 1 < text.size() && absl::ascii_isdigit(text[i + 1])) {
          operand = operand * 10 + (text[++i] - '0');
        }
        out_ += names_.at(op.operands[operand]);
      }
    }
    out_ += "\n";
  }

  void PrintRegions(const TraceOp& op, int indent) {
    out_ += "(";
    for (size_t i = 0; i < op.regions.size(); ++i) {
      const TraceBlock& region = *op.regions[i];
      out_ += i == 0 ? "{\n" : ", {\n";
      if (!region.arguments.empty()) {
        out_.append(indent, ' ');
        absl::StrAppend(&out_, "^bb0(", Arguments(region), "):\n");
      }
      PrintOps(region, indent + 2);
      PrintReturn("stablehlo.return", region, indent + 2);
      out_.append(indent, ' ');
      out_ += "}";
    }
    out_ += ")";
  }

  void PrintReturn(absl::string_view name, const TraceBlock& block,
                   int indent) {
    out_.append(indent, ' ');
    out_.append(name.data(), name.size());
    if (!block.returns.empty()) {
      absl::StrAppend(
          &out_, " ",
          absl::StrJoin(block.returns, ", ",
                        [&](std::string* out, const TraceValue* value) {
                          *out += names_.at(value);
                        }),
          " : ", absl::StrJoin(block.returns, ", ", AppendType));
    }
    out_ += "\n";
  }

  static void AppendType(std::string* out, const TraceValue* value) {
    *out += value->shape.ToString();
  }

  const TraceBlock& main_;
  const LiveOps& live_;
  absl::flat_hash_map<const TraceValue*, std::string> names_;
  absl::flat_hash_map<const TraceOp*, std::string> op_names_;
  absl::flat_hash_set<std::string> used_;
  int next_conflict_ = 0;
  std::string out_;
};

}  // namespace

std::string ModuleText(Trace& trace, absl::string_view module_name,
                       int64_t replicas) {
  const LiveOps live(trace.main());
  return ModulePrinter(trace.main(), live).Print(module_name, replicas);
}

}  // namespace lockstep::internal
