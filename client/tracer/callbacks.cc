#include "client/tracer/callbacks.h"

#include <cxxabi.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/host_call.h"
#include "runtime/callbacks/host_callbacks.h"
#include "runtime/callbacks/print_format.h"

namespace lockstep {

using internal::AtCall;
using internal::CallbackFunction;
using internal::HostCall;
using internal::HostCallbacks;
using internal::LiteralList;
using internal::PrintFormat;
using internal::Trace;
using internal::TraceOf;
using internal::TraceValue;

namespace {

Trace* TraceOfAny(const std::vector<Operand>& operands) {
  std::vector<const Operand*> pointers;
  for (const Operand& operand : operands) pointers.push_back(&operand);
  return TraceOf(pointers);
}

// "train.cc:12". Hosts may have been built in different folders.
std::string PlaceOf(const SourceLocation& location) {
  const absl::string_view file = location.file_name();
  return absl::StrCat(file.substr(file.rfind('/') + 1), ":", location.line());
}

absl::StatusOr<LiteralList> CallSafely(const CallbackFunction& function,
                                       const LiteralList& values) {
  try {
    return function.call(values);
  } catch (const std::exception& exception) {
    return absl::UnknownError(
        absl::StrCat("the callback threw \"", exception.what(), "\""));
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is cancelled
  } catch (...) {
    return absl::UnknownError(
        "the callback threw something that is no std::exception");
  }
}

absl::StatusOr<LiteralList> CopiesOf(absl::Span<const LiteralView> views) {
  LiteralList values;
  for (const LiteralView& view : views) {
    ASSIGN_OR_RETURN(Literal value, Literal::Allocate(view.shape()));
    const auto bytes = view.byte_span();
    std::copy(bytes.begin(), bytes.end(), value.mutable_bytes());
    values.push_back(std::move(value));
  }
  return values;
}

absl::Status CopyResults(const LiteralList& given,
                         absl::Span<const MutableLiteralView> results) {
  if (given.size() != results.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the callback gave ", given.size(), " values, expected ",
                     results.size()));
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i].shape() != results[i].shape()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the callback gave ", given[i].shape().ToString(), " as result ", i,
          ", expected ", results[i].shape().ToString()));
    }
    const auto bytes = given[i].byte_span();
    std::copy(bytes.begin(), bytes.end(), results[i].bytes());
  }
  return absl::OkStatus();
}

// On the memory of a device, as a program calls it.
HostCallbacks::Function OnViews(CallbackFunction function) {
  return [function = std::move(function)](
             absl::Span<const LiteralView> operands,
             absl::Span<const MutableLiteralView> results) -> absl::Status {
    ASSIGN_OR_RETURN(const LiteralList values, CopiesOf(operands));
    ASSIGN_OR_RETURN(const LiteralList given, CallSafely(function, values));
    return CopyResults(given, results);
  };
}

absl::StatusOr<std::vector<TraceValue*>> Build(
    Trace& trace, const HostCall& call, const std::vector<Operand>& operands,
    std::vector<Shape> results) {
  std::vector<TraceValue*> values;
  for (const Operand& operand : operands) {
    ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(operand));
    values.push_back(value);
  }
  internal::TraceOp op = {.name = "stablehlo.custom_call",
                          .operands = std::move(values),
                          .results = std::move(results)};
  const internal::AttributeMap attributes = call.Attributes();
  for (const auto& [name, value] : attributes.entries()) {
    op.attributes.push_back({name, value});
  }
  return trace.BuildAll(std::move(op));
}

absl::StatusOr<std::vector<TraceValue*>> AddCallback(
    Trace& trace, const internal::CallbackKind& kind, CallbackFunction function,
    const std::vector<Shape>& results, const std::vector<Operand>& operands,
    const SourceLocation& location) {
  if (function.value_count.value_or(operands.size()) != operands.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the callback takes ", *function.value_count,
                     " values, found ", operands.size(), " operands"));
  }
  HostCall call;
  call.name = std::string(kind.name);
  call.place = PlaceOf(location);
  call.has_effect = kind.has_effect;
  call.is_ordered = kind.is_ordered;
  call.number = trace.AddCallback(OnViews(std::move(function)));
  return Build(trace, call, operands, results);
}

absl::Status AddPrint(Trace& trace, const DebugFormat& format,
                      const std::vector<Operand>& operands) {
  RETURN_IF_ERROR(PrintFormat::Parse(format.text(), operands.size()).status());
  HostCall call;
  call.kind = HostCall::Kind::kDebugPrint;
  call.name = "debug_print";
  call.place = PlaceOf(format.location());
  call.is_ordered = format.options().ordered;
  call.format = format.text();
  return Build(trace, call, operands, {}).status();
}

}  // namespace

TensorList internal::CallHost(const CallbackKind& kind,
                              CallbackFunction function,
                              const std::vector<Shape>& results,
                              const std::vector<Operand>& operands,
                              const SourceLocation& location) {
  Trace* trace = TraceOfAny(operands);
  if (trace == nullptr) return TensorList(results.size());
  const Trace::PlaceScope place(*trace, location);
  const auto values = AddCallback(*trace, kind, std::move(function), results,
                                  operands, location);
  if (!values.ok()) {
    trace->Fail(AtCall(location, kind.name, values.status()));
    return TensorList(results.size(),
                      Tensor(trace->shared_from_this(), nullptr));
  }
  TensorList tensors;
  for (TraceValue* value : *values) tensors.push_back(trace->Wrap(value));
  return tensors;
}

void debug_print_operands(const DebugFormat& format,
                          const std::vector<Operand>& operands) {
  Trace* trace = TraceOfAny(operands);
  if (trace == nullptr) return;
  const Trace::PlaceScope place(*trace, format.location());
  const absl::Status added = AddPrint(*trace, format, operands);
  if (added.ok()) return;
  trace->Fail(AtCall(format.location(), "debug_print", added));
}

}  // namespace lockstep
