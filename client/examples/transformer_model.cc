#include "client/examples/transformer_model.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "client/examples/einsum.h"
#include "client/examples/transformer_layers.h"

namespace lockstep::examples {
namespace {

constexpr float kLearningRate = 0.1f;
constexpr float kMomentum = 0.9f;

using Parameters = TransformerParameters<Tensor>;

struct BlockForward {
  Tensor output;
  NormForward attention_norm;
  AttentionForward attention;
  NormForward mlp_norm;
  MlpForward mlp;
};

struct Forward {
  Tensor inputs;   // one-hot, [batch, length, vocabulary]
  Tensor targets;  // likewise
  std::vector<BlockForward> blocks;
  NormForward final_norm;
  Tensor log_probabilities;  // [batch, length, vocabulary]
  Tensor loss;
};

BlockForward RunBlock(const Tensor& x, const BlockParameters<Tensor>& block) {
  BlockForward forward;
  forward.attention_norm = Norm(x, block.attention_norm);
  forward.attention = Attention(forward.attention_norm.output, block);
  const Tensor attended = x + forward.attention.output;
  forward.mlp_norm = Norm(attended, block.mlp_norm);
  forward.mlp = Mlp(forward.mlp_norm.output, block);
  forward.output = attended + forward.mlp.output;
  return forward;
}

// Gives that of the block's input.
Tensor BlockGradients(const BlockForward& forward,
                      const BlockParameters<Tensor>& block,
                      const Tensor& d_output,
                      BlockParameters<Tensor>& gradients) {
  const Tensor d_attended =
      d_output +
      NormGradients(forward.mlp_norm, block.mlp_norm,
                    MlpGradients(forward.mlp, block, d_output, gradients),
                    gradients.mlp_norm);
  return d_attended + NormGradients(forward.attention_norm,
                                    block.attention_norm,
                                    AttentionGradients(forward.attention, block,
                                                       d_attended, gradients),
                                    gradients.attention_norm);
}

Forward RunForward(const Parameters& parameters, const Tensor& tokens) {
  const int64_t vocabulary = parameters.token_embedding.dim(0);
  const int64_t length = tokens.dim(1) - 1;
  const ElementType type = parameters.token_embedding.dtype();
  Forward forward;
  forward.inputs = with_sharding_annotation(
      one_hot(slice_in_dim(tokens, 0, length, 1), vocabulary, type), "logits");
  forward.targets = with_sharding_annotation(
      one_hot(slice_in_dim(tokens, 1, length + 1, 1), vocabulary, type),
      "logits");
  Tensor x = with_sharding_annotation(
      Einsum("btv,vd->btd", forward.inputs, parameters.token_embedding) +
          parameters.positions,
      "activations");
  for (const BlockParameters<Tensor>& block : parameters.blocks) {
    forward.blocks.push_back(RunBlock(x, block));
    x = forward.blocks.back().output;
  }
  forward.final_norm = Norm(x, parameters.final_norm);
  const Tensor logits = with_sharding_annotation(
      Einsum("btd,dv->btv", forward.final_norm.output, parameters.logits),
      "logits");
  const Tensor shifted = logits - max(logits, -1, /*keep_dims=*/true);
  forward.log_probabilities =
      shifted - log(sum(exp(shifted), -1, /*keep_dims=*/true));
  forward.loss = -mean(sum(forward.targets * forward.log_probabilities, -1));
  return forward;
}

Parameters Gradients(const Forward& forward, const Parameters& parameters) {
  const int64_t predictions = forward.targets.dim(0) * forward.targets.dim(1);
  Parameters gradients = parameters;
  const Tensor d_logits = with_sharding_annotation(
      (exp(forward.log_probabilities) - forward.targets) *
          (1.0 / static_cast<double>(predictions)),
      "logits");
  gradients.logits = Einsum("btd,btv->dv", forward.final_norm.output, d_logits);
  const Tensor d_normalized = with_sharding_annotation(
      Einsum("btv,dv->btd", d_logits, parameters.logits), "activations");
  Tensor d_x = NormGradients(forward.final_norm, parameters.final_norm,
                             d_normalized, gradients.final_norm);
  for (size_t i = parameters.blocks.size(); i-- > 0;) {
    d_x = BlockGradients(forward.blocks[i], parameters.blocks[i], d_x,
                         gradients.blocks[i]);
  }
  gradients.positions = sum(d_x, 0);
  gradients.token_embedding = Einsum("btv,btd->vd", forward.inputs, d_x);
  return gradients;
}

}  // namespace

Tensor TransformerLoss(const Parameters& parameters, const Tensor& tokens) {
  return RunForward(parameters, tokens).loss;
}

std::pair<Tensor, Parameters> TransformerLossAndGradients(
    const Parameters& parameters, const Tensor& tokens) {
  const Forward forward = RunForward(parameters, tokens);
  return {forward.loss, Gradients(forward, parameters)};
}

std::pair<TransformerState<Tensor>, Tensor> TransformerStep(
    const TransformerState<Tensor>& state, const Tensor& tokens) {
  const auto [loss, gradients] =
      TransformerLossAndGradients(state.parameters, tokens);
  TransformerState<Tensor> next;
  // The trees have one structure: that of the parameters.
  next.velocity = *tree_map(
      [](const Tensor& velocity, const Tensor& gradient) {
        return kMomentum * velocity - kLearningRate * gradient;
      },
      state.velocity, gradients);
  next.parameters = *tree_map(
      [](const Tensor& x, const Tensor& change) { return x + change; },
      state.parameters, next.velocity);
  next.step = state.step + 1;
  return {next, loss};
}

}  // namespace lockstep::examples
