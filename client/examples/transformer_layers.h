#ifndef LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_LAYERS_H_
#define LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_LAYERS_H_

#include "client/examples/transformer_parameters.h"
#include "client/lockstep.h"

// The layers of a block, each with its gradients. Inputs and outputs x are
// [batch, length, width], in any float type. They name what a layout may say
// where it lies, by with_sharding_annotation:
//   "activations"  [batch, length, width]
//   "heads"        [batch, length, heads, head_width]
//   "hidden"       [batch, length, hidden]
// Without annotations they run on one device as on many. A struct has what the
// gradients need of the way forward.

namespace lockstep::examples {

struct NormForward {
  Tensor output;
  Tensor direction;    // x divided by its root mean square
  Tensor inverse_rms;  // [batch, length, 1]
};

// Divides by the root of the mean square along the width (Zhang and Sennrich,
// 2019), and multiplies by the gain.
NormForward Norm(const Tensor& x, const Tensor& gain);
// Gives that of x.
Tensor NormGradients(const NormForward& forward, const Tensor& gain,
                     const Tensor& d_output, Tensor& d_gain);

struct AttentionForward {
  Tensor output;
  Tensor input;
  Tensor query, key, value;  // [batch, length, heads, head_width]
  Tensor probabilities;      // [batch, heads, length, length]
  Tensor context;            // [batch, length, heads, head_width]
};

// Every position sees itself and those before it, with several heads.
AttentionForward Attention(const Tensor& x,
                           const BlockParameters<Tensor>& block);
// Gives that of x, and fills in those of the four matrices.
Tensor AttentionGradients(const AttentionForward& forward,
                          const BlockParameters<Tensor>& block,
                          const Tensor& d_output,
                          BlockParameters<Tensor>& gradients);

struct MlpForward {
  Tensor output;
  Tensor input;
  Tensor hidden;  // [batch, length, hidden], before the activation
};

// Two matrices with x * logistic(x) between them.
MlpForward Mlp(const Tensor& x, const BlockParameters<Tensor>& block);
// Gives that of x, and fills in those of the two matrices.
Tensor MlpGradients(const MlpForward& forward,
                    const BlockParameters<Tensor>& block,
                    const Tensor& d_output, BlockParameters<Tensor>& gradients);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_LAYERS_H_
