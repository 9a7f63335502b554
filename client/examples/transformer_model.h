#ifndef LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_MODEL_H_
#define LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_MODEL_H_

#include <utility>

#include "client/examples/transformer_parameters.h"
#include "client/lockstep.h"

// A language model of the kind of GPT: embeddings of tokens and positions,
// blocks of attention and a two-layer network, each behind a norm and added to
// its input, and a softmax over the next token. It is written for whole arrays,
// and the same for every layout: what it names ("logits" [batch, length,
// vocabulary], and those of transformer_layers.h) a layout may place.

namespace lockstep::examples {

// `tokens` is s32 [batch, length + 1]. The mean over batch and length of the
// cross entropy of each token but the first, given those before it; and its
// gradients.
Tensor TransformerLoss(const TransformerParameters<Tensor>& parameters,
                       const Tensor& tokens);
std::pair<Tensor, TransformerParameters<Tensor>> TransformerLossAndGradients(
    const TransformerParameters<Tensor>& parameters, const Tensor& tokens);

// One step of gradient descent with momentum; and the loss before it.
std::pair<TransformerState<Tensor>, Tensor> TransformerStep(
    const TransformerState<Tensor>& state, const Tensor& tokens);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_MODEL_H_
