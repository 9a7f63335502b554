#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_SCALAR_BUILDER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_SCALAR_BUILDER_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/backends/cuda/codegen/cuda_lines.h"
#include "runtime/ops/scalar_builder.h"

namespace lockstep::internal {

// The type of an element in memory ("f16") and of a scalar ("float").
std::string CudaMemoryType(ElementType type);
std::string CudaScalarType(ElementType type);

// ScalarBuilder over CUDA C++: a constant for each scalar, computed by the
// functions of DeviceLibrary. f16 and bf16 compute in f32 and round once per
// operation.
class CudaScalarBuilder final : public ScalarBuilder {
 public:
  explicit CudaScalarBuilder(CudaLines& lines) : lines_(lines) {}

  // A scalar that is `expression`, which is computed here.
  int Add(ElementType type, absl::string_view expression);
  // One that has a name already.
  int Named(ElementType type, std::string name);
  const std::string& NameOf(int scalar) const { return scalars_[scalar].name; }
  int FromBytes(ElementType type, const std::byte* bytes);

  ElementType TypeOf(int scalar) const override {
    return scalars_[scalar].type;
  }
  int Constant(ElementType type, double value) override;
  int Unary(UnaryScalarOp op, int x) override;
  int Binary(BinaryScalarOp op, int x, int y) override;
  int Compare(ScalarComparison comparison, bool is_total_order, int x,
              int y) override;
  int Select(int predicate, int on_true, int on_false) override;
  int Convert(ElementType type, int x) override;
  int BitcastConvert(ElementType type, int x) override;
  int ReducePrecision(int exponent_bits, int mantissa_bits, int x) override;

 private:
  struct Scalar {
    ElementType type;
    std::string name;
  };

  int AddRounded(ElementType type, absl::string_view expression);
  std::string Converted(ElementType from, ElementType to,
                        const std::string& x) const;

  CudaLines& lines_;
  std::vector<Scalar> scalars_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_SCALAR_BUILDER_H_
