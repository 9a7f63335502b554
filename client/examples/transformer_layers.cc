#include "client/examples/transformer_layers.h"

#include <cmath>
#include <cstdint>

#include "client/examples/einsum.h"

namespace lockstep::examples {
namespace {

// Keeps the root mean square of zeros from being 0.
constexpr double kNormEpsilon = 1e-6;
// The score of a later position: its probability is 0.
constexpr double kMasked = -1e9;

Tensor Activations(const Tensor& x) {
  return with_sharding_annotation(x, "activations");
}
Tensor Heads(const Tensor& x) { return with_sharding_annotation(x, "heads"); }
Tensor Hidden(const Tensor& x) { return with_sharding_annotation(x, "hidden"); }

Tensor Project(const Tensor& x, const Tensor& matrix) {
  return Heads(Einsum("btd,dhk->bthk", x, matrix));
}

double ScoreScale(const Tensor& query) {
  return 1 / std::sqrt(static_cast<double>(query.dim(-1)));
}

Tensor CausalSoftmax(const Tensor& scores) {
  const int64_t length = scores.dim(-1);
  const Tensor is_seen = iota({length, length}, 0) >= iota({length, length}, 1);
  const Tensor seen = where(is_seen, scores, kMasked);
  const Tensor weights = exp(seen - max(seen, -1, /*keep_dims=*/true));
  return weights / sum(weights, -1, /*keep_dims=*/true);
}

}  // namespace

NormForward Norm(const Tensor& x, const Tensor& gain) {
  const Tensor inverse_rms =
      rsqrt(mean(square(x), -1, /*keep_dims=*/true) + kNormEpsilon);
  const Tensor direction = x * inverse_rms;
  return {Activations(direction * gain), direction, inverse_rms};
}

Tensor NormGradients(const NormForward& forward, const Tensor& gain,
                     const Tensor& d_output, Tensor& d_gain) {
  d_gain = sum(d_output * forward.direction, {0, 1});
  const Tensor d_direction = d_output * gain;
  // What changes the length of x alone does not change its direction.
  const Tensor along =
      mean(d_direction * forward.direction, -1, /*keep_dims=*/true);
  return Activations((d_direction - forward.direction * along) *
                     forward.inverse_rms);
}

AttentionForward Attention(const Tensor& x,
                           const BlockParameters<Tensor>& block) {
  AttentionForward forward;
  forward.input = x;
  forward.query = Project(x, block.query);
  forward.key = Project(x, block.key);
  forward.value = Project(x, block.value);
  forward.probabilities =
      CausalSoftmax(Einsum("bthk,bshk->bhts", forward.query, forward.key) *
                    ScoreScale(forward.query));
  forward.context =
      Heads(Einsum("bhts,bshk->bthk", forward.probabilities, forward.value));
  forward.output = Activations(
      Einsum("bthk,hkd->btd", forward.context, block.attention_output));
  return forward;
}

Tensor AttentionGradients(const AttentionForward& forward,
                          const BlockParameters<Tensor>& block,
                          const Tensor& d_output,
                          BlockParameters<Tensor>& gradients) {
  gradients.attention_output =
      Einsum("bthk,btd->hkd", forward.context, d_output);
  const Tensor d_context =
      Heads(Einsum("btd,hkd->bthk", d_output, block.attention_output));
  const Tensor& probabilities = forward.probabilities;
  const Tensor d_value =
      Heads(Einsum("bhts,bthk->bshk", probabilities, d_context));
  const Tensor d_probabilities =
      Einsum("bthk,bshk->bhts", d_context, forward.value);
  const Tensor d_scores =
      probabilities *
      (d_probabilities -
       sum(probabilities * d_probabilities, -1, /*keep_dims=*/true)) *
      ScoreScale(forward.query);
  const Tensor d_query =
      Heads(Einsum("bhts,bshk->bthk", d_scores, forward.key));
  const Tensor d_key =
      Heads(Einsum("bhts,bthk->bshk", d_scores, forward.query));
  const Tensor& x = forward.input;
  gradients.query = Einsum("btd,bthk->dhk", x, d_query);
  gradients.key = Einsum("btd,bthk->dhk", x, d_key);
  gradients.value = Einsum("btd,bthk->dhk", x, d_value);
  return Activations(Einsum("bthk,dhk->btd", d_query, block.query) +
                     Einsum("bthk,dhk->btd", d_key, block.key) +
                     Einsum("bthk,dhk->btd", d_value, block.value));
}

MlpForward Mlp(const Tensor& x, const BlockParameters<Tensor>& block) {
  const Tensor hidden = Hidden(Einsum("btd,df->btf", x, block.mlp_in));
  const Tensor output =
      Einsum("btf,fd->btd", hidden * logistic(hidden), block.mlp_out);
  return {Activations(output), x, hidden};
}

Tensor MlpGradients(const MlpForward& forward,
                    const BlockParameters<Tensor>& block,
                    const Tensor& d_output,
                    BlockParameters<Tensor>& gradients) {
  const Tensor& hidden = forward.hidden;
  const Tensor gate = logistic(hidden);
  gradients.mlp_out = Einsum("btf,btd->fd", hidden * gate, d_output);
  const Tensor d_hidden =
      Hidden(Einsum("btd,fd->btf", d_output, block.mlp_out) *
             (gate * (1.0 + hidden * (1.0 - gate))));
  gradients.mlp_in = Einsum("btd,btf->df", forward.input, d_hidden);
  return Activations(Einsum("btf,df->btd", d_hidden, block.mlp_in));
}

}  // namespace lockstep::examples
