#include "runtime/passes/export/export_gspmd.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op_builder.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/gspmd_export.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/passes/import/gspmd_attributes.h"

namespace lockstep::internal {
namespace {

class GspmdExporter {
 public:
  explicit GspmdExporter(Module& module) : module_(module) {}

  absl::Status Run() {
    std::vector<Function*> functions;
    for (const auto& function : module_.functions()) {
      functions.push_back(function.get());
    }
    for (Function* function : functions) {
      for (AttributeMap& attributes : function->argument_attributes()) {
        RETURN_IF_ERROR(Replace(attributes));
      }
      for (AttributeMap& attributes : function->result_attributes()) {
        RETURN_IF_ERROR(Replace(attributes));
      }
      RETURN_IF_ERROR(Rebuild(function->body()));
    }
    module_.meshes() = MeshTable();
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<GspmdAnnotation> Annotation(
      const TensorSharding& sharding,
      const std::vector<std::string>& manual_axes = {}) const {
    ASSIGN_OR_RETURN(const ShardingMesh* mesh,
                     MeshOfSharding(sharding, module_.meshes()));
    return ToGspmd(*mesh, sharding, manual_axes);
  }

  absl::Status Replace(AttributeMap& attributes) const {
    const TensorSharding* sharding = ShardingOf(attributes);
    if (sharding == nullptr) return absl::OkStatus();
    ASSIGN_OR_RETURN(const GspmdAnnotation annotation, Annotation(*sharding));
    attributes.Remove(kShardingAttributeName);
    attributes.Set(kGspmdAttributeName,
                   Attribute::String{annotation.sharding.ToString()});
    return absl::OkStatus();
  }

  absl::Status Rebuild(Region& region) {
    std::vector<std::unique_ptr<Op>> ops = std::move(region.mutable_ops());
    region.mutable_ops().clear();
    for (std::unique_ptr<Op>& op : ops) {
      for (int i = 0; i < op->operand_count(); ++i) {
        op->set_operand(i, map_.Find(op->operand(i)));
      }
      if (op->attribute(kShardingAttributeName) != nullptr) {
        return op->Unimplemented("its sharding, in the form of GSPMD");
      }
      OpBuilder builder(&region);
      builder.set_location(op->location());
      if (op->name() == "sdy.sharding_constraint") {
        RETURN_IF_ERROR(Constrain(*op, builder));
      } else if (op->name() == "sdy.manual_computation") {
        RETURN_IF_ERROR(CallBody(*op, builder));
      } else if (absl::StartsWith(op->name(), "sdy.")) {
        return op->Unimplemented("in the form of GSPMD");
      } else {
        // What propagation by Shardy knows of the op.
        op->mutable_attributes().Remove("sdy.sharding_rule");
        for (const auto& inner : op->regions()) {
          RETURN_IF_ERROR(Rebuild(*inner));
        }
        region.Append(std::move(op));
        continue;
      }
      replaced_.push_back(std::move(op));
    }
    return absl::OkStatus();
  }

  absl::Status Constrain(const Op& op, OpBuilder& builder) {
    const auto* sharding = op.attribute("sharding")->As<Attribute::Sharding>();
    ASSIGN_OR_RETURN(const GspmdAnnotation annotation,
                     Annotation(sharding->value, manual_axes_));
    const std::string config =
        annotation.unspecified_dims.empty()
            ? ""
            : absl::StrCat("unspecified_dims=[",
                           absl::StrJoin(annotation.unspecified_dims, ","),
                           "]");
    ASSIGN_OR_RETURN(Value * constrained,
                     Call("Sharding", op.operand(0), op.result()->type(),
                          annotation.sharding.ToString(), config, builder));
    map_.Set(op.result(), constrained);
    return absl::OkStatus();
  }

  absl::StatusOr<Value*> Call(absl::string_view target, Value* operand,
                              Type type, std::string sharding,
                              const std::string& config, OpBuilder& builder) {
    OpState state;
    state.name = "stablehlo.custom_call";
    state.operands = {operand};
    state.attributes.Set("call_target_name",
                         Attribute::String{std::string(target)});
    state.attributes.Set("backend_config", Attribute::String{config});
    state.attributes.Set(kGspmdAttributeName,
                         Attribute::String{std::move(sharding)});
    state.result_types = {std::move(type)};
    ASSIGN_OR_RETURN(Op * made, builder.Build(std::move(state)));
    return made->result();
  }

  // What a device has of a value in the body: all of it along manual axes.
  absl::StatusOr<std::string> InBody(int64_t rank,
                                     const TensorSharding& sharding) const {
    ASSIGN_OR_RETURN(
        const GspmdAnnotation annotation,
        Annotation(UnshardedOn(sharding.mesh, rank, /*is_closed=*/true),
                   manual_axes_));
    return annotation.sharding.ToString();
  }

  absl::Status CallBody(Op& op, OpBuilder& builder) {
    ASSIGN_OR_RETURN(const ManualShardings manual, ManualShardingsOf(op));
    const std::vector<std::string> around = manual_axes_;
    std::vector<Value*> shards;
    for (int i = 0; i < op.operand_count(); ++i) {
      ASSIGN_OR_RETURN(const GspmdAnnotation whole,
                       Annotation(manual.in[i], around));
      const Type& type = op.operand(i)->type();
      ASSIGN_OR_RETURN(Value * constrained,
                       Call("Sharding", op.operand(i), type,
                            whole.sharding.ToString(), "", builder));
      manual_axes_.insert(manual_axes_.end(), manual.manual_axes.begin(),
                          manual.manual_axes.end());
      ASSIGN_OR_RETURN(std::string in_body,
                       InBody(type.shape().rank(), manual.in[i]));
      manual_axes_ = around;
      ASSIGN_OR_RETURN(Value * shard, Call("SPMDFullToShardShape", constrained,
                                           op.region().arguments()[i]->type(),
                                           std::move(in_body), "", builder));
      shards.push_back(shard);
    }
    manual_axes_.insert(manual_axes_.end(), manual.manual_axes.begin(),
                        manual.manual_axes.end());
    ASSIGN_OR_RETURN(const Function* body, MakeBody(op, manual));
    OpState call;
    call.name = "func.call";
    call.operands = std::move(shards);
    call.attributes.Set("callee", Attribute::Symbol{body->name()});
    call.result_types = body->result_types();
    ASSIGN_OR_RETURN(const Op* called, builder.Build(std::move(call)));
    for (int i = 0; i < op.result_count(); ++i) {
      const Type& type = called->result(i)->type();
      ASSIGN_OR_RETURN(std::string in_body,
                       InBody(type.shape().rank(), manual.out[i]));
      ASSIGN_OR_RETURN(Value * constrained,
                       Call("Sharding", called->result(i), type,
                            std::move(in_body), "", builder));
      ASSIGN_OR_RETURN(const GspmdAnnotation whole,
                       Annotation(manual.out[i], around));
      ASSIGN_OR_RETURN(
          Value * joined,
          Call("SPMDShardToFullShape", constrained, op.result(i)->type(),
               whole.sharding.ToString(), "", builder));
      map_.Set(op.result(i), joined);
    }
    manual_axes_ = around;
    return absl::OkStatus();
  }

  // The body of a manual computation as a function.
  absl::StatusOr<Function*> MakeBody(Op& op, const ManualShardings& manual) {
    std::string name = "shmap_body";
    for (int i = 0; module_.FindFunction(name) != nullptr; ++i) {
      name = absl::StrCat("shmap_body_", i);
    }
    Function* body = module_.AddFunction(name, op.location());
    body->set_is_private(true);
    for (const auto& argument : op.region().arguments()) {
      map_.Set(argument.get(), body->body().AddArgument(argument->type()));
    }
    std::vector<std::unique_ptr<Op>> ops = std::move(op.region().mutable_ops());
    op.region().mutable_ops().clear();
    const std::unique_ptr<Op> end = std::move(ops.back());
    ops.pop_back();
    for (std::unique_ptr<Op>& inner : ops) {
      body->body().Append(std::move(inner));
    }
    RETURN_IF_ERROR(Rebuild(body->body()));
    std::vector<Value*> results;
    std::vector<Type> types;
    for (Value* value : end->operands()) {
      results.push_back(map_.Find(value));
      types.push_back(results.back()->type());
    }
    OpBuilder builder(&body->body());
    builder.Terminate("func.return", std::move(results));
    body->set_result_types(std::move(types));
    for (size_t i = 0; i < manual.out.size(); ++i) {
      body->result_attributes()[i].Set(
          "jax.result_info", Attribute::String{AxesText(manual.out[i])});
    }
    return body;
  }

  // "['data', None]", as JAX writes the out spec of a body.
  static std::string AxesText(const TensorSharding& sharding) {
    std::vector<std::string> dims;
    for (const DimSharding& dim : sharding.dims) {
      std::vector<std::string> axes;
      for (const AxisRef& axis : dim.axes) {
        axes.push_back(absl::StrCat("'", axis.name(), "'"));
      }
      dims.push_back(axes.empty() ? "None"
                     : axes.size() == 1
                         ? axes[0]
                         : absl::StrCat("(", absl::StrJoin(axes, ", "), ")"));
    }
    return absl::StrCat("[", absl::StrJoin(dims, ", "), "]");
  }

  Module& module_;
  ValueMap map_;
  // Of the manual computations around.
  std::vector<std::string> manual_axes_;
  // Kept until the end: the map knows values by their addresses.
  std::vector<std::unique_ptr<Op>> replaced_;
};

}  // namespace

Pass ExportGspmd() {
  return {"export_gspmd",
          [](Module& module) { return GspmdExporter(module).Run(); }};
}

}  // namespace lockstep::internal
