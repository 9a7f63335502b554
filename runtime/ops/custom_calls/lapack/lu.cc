#include <algorithm>

#include "runtime/ops/custom_calls/lapack/lapack_target.h"

namespace lockstep::internal {
namespace {

// getrf: P A = L U; the rows that were exchanged count from 1. info i: pivot i
// is zero.
//   (A) -> (L and U, pivots, info)
class Getrf : public NoLapackOptions {
 public:
  static constexpr int kMatrix = 0;

  static absl::StatusOr<LapackForm> Form(const LapackCall& call,
                                         const Options&) {
    const LapackTensor matrix =
        LapackTensor::Matrix(call.type(), call.rows(), call.columns());
    return LapackForm{
        {matrix},
        {LapackTensor(matrix).InPlaceOf(0),
         LapackTensor::Vector(ElementType::kS32,
                              std::min(call.rows(), call.columns())),
         LapackTensor::Info()}};
  }

  template <typename T>
  static absl::Status Run(const LapackRoutines<T>& lapack,
                          const LapackForm& form, const Options&,
                          LapackMember& member) {
    const auto m = static_cast<LapackInt>(form.operands[0].rows);
    const auto n = static_cast<LapackInt>(form.operands[0].columns);
    const LapackInt stride = member.operand_stride(0);
    lapack.getrf(&m, &n, member.operand<T>(0), &stride,
                 member.result<LapackInt>(1), member.result<LapackInt>(2));
    return absl::OkStatus();
  }
};

void AddLu(CustomCallTargets& targets) {
  const LapackSlots slots = {.operands = {0}, .results = {0, 1, 2}};
  // batch, m, n
  const LapackSlots old = {
      .operands = {3}, .results = {0, 1, 2}, .scalar_count = 3};
  AddLapackFamily<Getrf>(targets, {.real_name = "getrf",
                                   .complex_name = "getrf",
                                   .real = {slots},
                                   .complex = {slots},
                                   .old_real = {old},
                                   .old_complex = {old}});
}

REGISTER_CUSTOM_CALL_TARGETS(AddLu);

}  // namespace
}  // namespace lockstep::internal
