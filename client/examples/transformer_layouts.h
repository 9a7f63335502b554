#ifndef LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_LAYOUTS_H_
#define LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_LAYOUTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/lockstep.h"

namespace lockstep::examples {

// How a transformer is split among devices: all that differs between one layout
// and another.
struct TransformerLayout {
  Mesh mesh;
  // Of a TransformerState.
  RuleOrSpec state;
  PartitionSpec batch;
  // Of what the model names.
  AnnotationShardings annotations;
};

// "fsdp", "tensor", "2d".
const std::vector<std::string>& TransformerLayoutNames();

// The layout of that name over all of these devices:
//   fsdp    a part of the batch for each device, and of every large parameter,
//           which is put together where it is used (Zhao et al., 2023)
//   tensor  the whole batch on each device; heads, hidden units and the
//           vocabulary are split (Shoeybi et al., 2019)
//   2d      both: of two axes one has the batch and the parameters' width, the
//           other, of size 2, the heads, hidden units and the vocabulary
// INVALID_ARGUMENT: another name; 2d over an odd number of devices. Whether
// the mesh divides the arrays the program says.
absl::StatusOr<TransformerLayout> MakeTransformerLayout(
    const std::string& name, const std::vector<Device>& devices);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_LAYOUTS_H_
