#include "runtime/backends/cuda/codegen/cuda_row_reduction.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

CudaRowReduction::CudaRowReduction(const ReduceBody& body, const RowPlan& plan,
                                   CudaKernelText& text,
                                   ElementEmitter& emitter)
    : body_(body),
      plan_(plan),
      text_(text),
      lines_(text.lines()),
      emitter_(emitter),
      begins_with_init_(plan.kind == RowPlan::kThread ||
                        body.has_identity_inits()) {
  const std::vector<int> inits = body_.Init(text_, emitter_);
  for (int i = 0; i < body_.count(); ++i) {
    accumulators_.push_back(lines_.NewName("a"));
    lines_.Add(absl::StrCat(CudaScalarType(body_.accumulator_type(i)), " ",
                            accumulators_[i], " = ",
                            text_.scalars().NameOf(inits[i]), ";"));
  }
  if (begins_with_init_) return;
  has_ = lines_.NewName("has");
  lines_.Add(absl::StrCat("bool ", has_, " = false;"));
}

std::vector<int> CudaRowReduction::Accumulators() const {
  std::vector<int> scalars;
  for (int i = 0; i < body_.count(); ++i) {
    scalars.push_back(
        text_.scalars().Named(body_.accumulator_type(i), accumulators_[i]));
  }
  return scalars;
}

void CudaRowReduction::Assign(const std::vector<int>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    lines_.Add(absl::StrCat(accumulators_[i], " = ",
                            text_.scalars().NameOf(values[i]), ";"));
  }
}

void CudaRowReduction::Combine(const std::vector<int>& others,
                               absl::string_view has_others) {
  emitter_.BeginScope();
  const std::vector<int> combined =
      body_.Combine(text_, emitter_, Accumulators(), others);
  emitter_.EndScope();
  if (begins_with_init_) {
    Assign(combined);
    return;
  }
  for (size_t i = 0; i < combined.size(); ++i) {
    const std::string& name = accumulators_[i];
    lines_.Add(absl::StrCat(name, " = !(", has_others, ") ? ", name, " : ",
                            has_, " ? ", text_.scalars().NameOf(combined[i]),
                            " : ", text_.scalars().NameOf(others[i]), ";"));
  }
  lines_.Add(absl::StrCat(has_, " = ", has_, " || (", has_others, ");"));
}

void CudaRowReduction::CombineLanes(int lanes) {
  if (lanes == 1) return;
  const std::string distance = lines_.NewName("d");
  lines_.Add("#pragma unroll");
  lines_.Open(absl::StrCat("for (int ", distance, " = 1; ", distance, " < ",
                           lanes, "; ", distance, " <<= 1)"));
  std::string has_others = "true";
  if (!begins_with_init_) {
    has_others = lines_.NewName("has");
    lines_.Add(absl::StrCat("const bool ", has_others, " = FromLane(", has_,
                            ", ", distance, ");"));
  }
  std::vector<int> others;
  for (int i = 0; i < body_.count(); ++i) {
    others.push_back(text_.scalars().Add(
        body_.accumulator_type(i),
        absl::StrCat("FromLane(", accumulators_[i], ", ", distance, ")")));
  }
  Combine(others, has_others);
  lines_.Close();
}

void CudaRowReduction::CombineShared(int size, int slots,
                                     absl::string_view gives,
                                     absl::string_view slot,
                                     absl::string_view read) {
  std::vector<std::string> shared;
  for (int i = 0; i < body_.count(); ++i) {
    shared.push_back(lines_.NewName("shared"));
    lines_.Add(absl::StrCat("__shared__ ",
                            CudaScalarType(body_.accumulator_type(i)), " ",
                            shared[i], "[", size, "];"));
  }
  std::string shared_has;
  if (!begins_with_init_) {
    shared_has = lines_.NewName("shared");
    lines_.Add(absl::StrCat("__shared__ bool ", shared_has, "[", size, "];"));
  }
  lines_.Open(absl::StrCat("if (", gives, ")"));
  for (size_t i = 0; i < shared.size(); ++i) {
    lines_.Add(
        absl::StrCat(shared[i], "[", slot, "] = ", accumulators_[i], ";"));
  }
  if (!begins_with_init_) {
    lines_.Add(absl::StrCat(shared_has, "[", slot, "] = ", has_, ";"));
  }
  lines_.Close();
  lines_.Add("__syncthreads();");
  const auto read_slot = [&](absl::string_view number) {
    return absl::StrCat(number, read);
  };
  for (size_t i = 0; i < shared.size(); ++i) {
    lines_.Add(absl::StrCat(accumulators_[i], " = ", shared[i], "[",
                            read_slot("0"), "];"));
  }
  if (!begins_with_init_) {
    lines_.Add(
        absl::StrCat(has_, " = ", shared_has, "[", read_slot("0"), "];"));
  }
  const std::string number = lines_.NewName("n");
  lines_.Add("#pragma unroll");
  lines_.Open(absl::StrCat("for (int ", number, " = 1; ", number, " < ", slots,
                           "; ++", number, ")"));
  std::vector<int> others;
  for (size_t i = 0; i < shared.size(); ++i) {
    others.push_back(text_.scalars().Add(
        body_.accumulator_type(static_cast<int>(i)),
        absl::StrCat(shared[i], "[", read_slot(number), "]")));
  }
  Combine(others, begins_with_init_
                      ? "true"
                      : absl::StrCat(shared_has, "[", read_slot(number), "]"));
  lines_.Close();
  // Before the memory is written again.
  lines_.Add("__syncthreads();");
}

void CudaRowReduction::CombinePartners() {
  switch (plan_.kind) {
    case RowPlan::kThread:
      return;
    case RowPlan::kWarp:
      if (plan_.x == 1) return;
      CombineLanes(plan_.x);
      for (const std::string& name : accumulators_) {
        lines_.Add(
            absl::StrCat(name, " = FromFirst(", name, ", ", plan_.x, ");"));
      }
      return;
    case RowPlan::kBlock:
      CombineLanes(kWarp);
      CombineShared(plan_.x / kWarp, plan_.x / kWarp, "threadIdx.x % 32 == 0",
                    "threadIdx.x / 32", "");
      return;
    case RowPlan::kColumns:
      if (plan_.y == 1) return;
      CombineShared(plan_.y * kWarp, plan_.y, "true",
                    "threadIdx.y * 32 + threadIdx.x", " * 32 + threadIdx.x");
      return;
  }
}

void CudaRowReduction::AddInits() {
  if (begins_with_init_) return;
  const std::vector<int> inits = body_.Init(text_, emitter_);
  emitter_.BeginScope();
  Assign(body_.Combine(text_, emitter_, inits, Accumulators()));
  emitter_.EndScope();
}

std::vector<int> CudaRowReduction::Finish() {
  return body_.Finish(text_, Accumulators());
}

}  // namespace lockstep::internal
