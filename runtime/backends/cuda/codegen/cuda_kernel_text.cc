#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/backends/cuda/codegen/device_library.h"

namespace lockstep::internal {
namespace {

// Positions up to here, and a step of the whole grid further, are ints.
constexpr int64_t kMaxShortIndex = int64_t{1} << 30;

}  // namespace

CudaKernelText::CudaKernelText(const KernelGraph& graph, int64_t positions)
    : graph_(graph) {
  int64_t largest = positions;
  const auto add = [&](const Value* value) {
    types_.push_back(value->shape().element_type());
    largest = std::max(largest, value->shape().element_count());
  };
  for (const Value* value : graph.inputs) add(value);
  for (const Value* value : graph.outputs) add(value);
  index_type_ = largest < kMaxShortIndex ? "int" : "s64";
}

KernelCode::Index CudaKernelText::NamedIndex(std::string name) {
  indices_.push_back(std::move(name));
  return {static_cast<int>(indices_.size()) - 1};
}

KernelCode::Index CudaKernelText::NewIndex(absl::string_view expression) {
  std::string name = lines_.NewName("i");
  lines_.Add(absl::StrCat("const idx ", name, " = ", expression, ";"));
  return NamedIndex(std::move(name));
}

KernelCode::Index CudaKernelText::IndexConstant(int64_t value) {
  return NamedIndex(value < 0 ? absl::StrCat("idx(", value, ")")
                              : absl::StrCat(value));
}
KernelCode::Index CudaKernelText::Add(Index x, Index y) {
  return NewIndex(absl::StrCat(NameOf(x), " + ", NameOf(y)));
}
KernelCode::Index CudaKernelText::Multiply(Index x, int64_t factor) {
  return NewIndex(absl::StrCat(NameOf(x), " * idx(", factor, ")"));
}
KernelCode::Index CudaKernelText::Divide(Index x, int64_t divisor) {
  return NewIndex(absl::StrCat("uidx(", NameOf(x), ") / uidx(", divisor, ")"));
}
KernelCode::Index CudaKernelText::Modulo(Index x, int64_t divisor) {
  return NewIndex(absl::StrCat("uidx(", NameOf(x), ") % uidx(", divisor, ")"));
}

KernelCode::Index CudaKernelText::Clamp(int scalar, int64_t room) {
  const std::string& name = scalars_.NameOf(scalar);
  const std::string limit = absl::StrCat(room);
  if (IsSignedInteger(scalars_.TypeOf(scalar))) {
    return NewIndex(absl::StrCat("idx(Minimum(Maximum(s64(", name,
                                 "), s64(0)), s64(", limit, ")))"));
  }
  return NewIndex(
      absl::StrCat("idx(Minimum(u64(", name, "), u64(", limit, ")))"));
}

int CudaKernelText::ScalarOf(Index x, ElementType type) {
  return scalars_.Add(type,
                      absl::StrCat(CudaScalarType(type), "(", NameOf(x), ")"));
}
int CudaKernelText::IsBelow(Index x, int64_t bound) {
  return scalars_.Add(ElementType::kPred,
                      absl::StrCat(NameOf(x), " < idx(", bound, ")"));
}
int CudaKernelText::IsWithin(Index x, int64_t size) {
  return scalars_.Add(ElementType::kPred,
                      absl::StrCat("uidx(", NameOf(x), ") < uidx(", size, ")"));
}
int CudaKernelText::IsMultiple(Index x, int64_t divisor) {
  return scalars_.Add(
      ElementType::kPred,
      absl::StrCat("uidx(", NameOf(x), ") % uidx(", divisor, ") == 0"));
}

int CudaKernelText::LoadConstant(ElementType type,
                                 absl::Span<const std::byte> bytes, Index x) {
  const std::string name = lines_.NewName("table");
  absl::StrAppend(&constants_, "static __device__ const __align__(16) u8 ",
                  name, "[] = {");
  for (std::byte byte : bytes) {
    absl::StrAppend(&constants_, static_cast<int>(byte), ",");
  }
  absl::StrAppend(&constants_, "};\n");
  return scalars_.Add(type, absl::StrCat("LoadElement(reinterpret_cast<const ",
                                         CudaMemoryType(type), "*>(", name,
                                         "), ", NameOf(x), ")"));
}

int CudaKernelText::Load(int buffer, ElementType type, Index x) {
  return scalars_.Add(
      type, absl::StrCat("LoadElement(b", buffer, ", ", NameOf(x), ")"));
}

void CudaKernelText::Store(int buffer, Index x, int scalar) {
  lines_.Add(absl::StrCat("StoreElement(b", buffer, ", ", NameOf(x), ", ",
                          scalars_.NameOf(scalar), ");"));
}

int CudaKernelText::Branch(int predicate, const std::function<int()>& on_true,
                           const std::function<int()>& on_false) {
  // The type is known once one of the sides is written: they go into lines of
  // their own first.
  const std::string name = lines_.NewName("v");
  const size_t place = lines_.Mark();
  lines_.Open(absl::StrCat("if (", scalars_.NameOf(predicate), ")"));
  const int first = on_true();
  lines_.Add(absl::StrCat(name, " = ", scalars_.NameOf(first), ";"));
  lines_.Close("else {");
  lines_.Deepen();
  const int second = on_false();
  lines_.Add(absl::StrCat(name, " = ", scalars_.NameOf(second), ";"));
  lines_.Close();
  const ElementType type = scalars_.TypeOf(first);
  lines_.InsertAt(place, absl::StrCat(CudaScalarType(type), " ", name, ";"));
  return scalars_.Named(type, name);
}

void CudaKernelText::EndFunction(absl::string_view name, int threads,
                                 bool has_scratch, int resident_blocks) {
  std::vector<std::string> parameters;
  const size_t inputs = graph_.inputs.size();
  for (size_t i = 0; i < types_.size(); ++i) {
    bool is_shared = graph_.alias_of[i] != static_cast<int>(i);
    for (size_t j = 0; j < types_.size(); ++j) {
      is_shared |= j != i && graph_.alias_of[j] == static_cast<int>(i);
    }
    parameters.push_back(
        absl::StrCat(i < inputs ? "const " : "", CudaMemoryType(types_[i]),
                     "* ", is_shared ? "" : "__restrict__ ", "b", i));
  }
  if (has_scratch) parameters.push_back("u8* __restrict__ scratch");
  absl::StrAppend(
      &functions_, "extern \"C\" __global__ void __launch_bounds__(", threads,
      resident_blocks > 1 ? absl::StrCat(", ", resident_blocks) : "", ") ",
      name, "(", absl::StrJoin(parameters, ", "), ") {\n", lines_.Take(),
      "}\n");
}

std::string CudaKernelText::Finish() {
  return absl::StrCat(DeviceLibrary(), "\n// ", graph_.name, "\ntypedef ",
                      index_type_, " idx;\ntypedef unsigned ",
                      index_type_ == "int" ? "int" : "long long", " uidx;\n",
                      constants_, functions_);
}

}  // namespace lockstep::internal
