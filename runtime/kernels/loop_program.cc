#include "runtime/kernels/loop_program.h"

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

void AppendStep(const LoopProgram::Step& step, std::string& text) {
  absl::StrAppend(&text, "\n", static_cast<int>(step.kind), " ", step.call, " ",
                  step.work, ":");
  for (int buffer : step.buffers) absl::StrAppend(&text, buffer, ",");
  if (step.kind == LoopProgram::Step::Kind::kKernel) {
    absl::StrAppend(&text, static_cast<int>(step.graph.kind), " ",
                    step.graph.fingerprint);
  }
  for (const auto& nested : step.nested) {
    absl::StrAppend(&text, "{");
    for (const LoopProgram::Step& inner : nested) AppendStep(inner, text);
    absl::StrAppend(&text, "}");
  }
}

}  // namespace

std::string LoopProgram::Fingerprint() const {
  std::string text = "loop";
  for (const Buffer& buffer : buffers) {
    absl::StrAppend(&text, " ", buffer.size, "@", buffer.block, "+",
                    buffer.offset, buffer.is_carried ? "c" : "",
                    absl::BytesToHexString(buffer.constant));
  }
  for (const Block& block : blocks) {
    absl::StrAppend(&text, " ", block.size, block.is_shared ? "s" : "");
  }
  AppendStep(loop, text);
  return text;
}

}  // namespace lockstep::internal
