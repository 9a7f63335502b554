#ifndef LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_PARAMETERS_H_
#define LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_PARAMETERS_H_

#include <cstdint>
#include <vector>

#include "client/lockstep.h"

namespace lockstep::examples {

// The width is a multiple of the number of heads.
struct TransformerSizes {
  int64_t vocabulary = 32;
  int64_t length = 16;  // of a sequence
  int64_t width = 64;
  int64_t heads = 8;
  int64_t hidden = 128;  // of the two-layer network in a block
  int64_t blocks = 2;

  int64_t head_width() const { return width / heads; }
};

// Trees of arrays, shapes, or in a traced function tensors.

template <typename T>
struct BlockParameters {
  T attention_norm;    // [width]
  T query;             // [width, heads, head_width]
  T key;               // [width, heads, head_width]
  T value;             // [width, heads, head_width]
  T attention_output;  // [heads, head_width, width]
  T mlp_norm;          // [width]
  T mlp_in;            // [width, hidden]
  T mlp_out;           // [hidden, width]
  LOCKSTEP_TREE_FIELDS(attention_norm, query, key, value, attention_output,
                       mlp_norm, mlp_in, mlp_out)
};

template <typename T>
struct TransformerParameters {
  T token_embedding;  // [vocabulary, width]
  T positions;        // [length, width]
  std::vector<BlockParameters<T>> blocks;
  T final_norm;  // [width]
  T logits;      // [width, vocabulary]
  LOCKSTEP_TREE_FIELDS(token_embedding, positions, blocks, final_norm, logits)
};

// What a step of training changes, and a checkpoint has.
template <typename T>
struct TransformerState {
  TransformerParameters<T> parameters;
  TransformerParameters<T> velocity;
  T step;  // s32 scalar: how many steps were done
  LOCKSTEP_TREE_FIELDS(parameters, velocity, step)
};

// Values in host memory, f32, the same on every host: uniform with variance
// 1 / inputs, gains 1, velocity and step 0.
TransformerParameters<Array> InitialTransformerParameters(
    const TransformerSizes& sizes);
TransformerState<Array> InitialTransformerState(const TransformerSizes& sizes);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_PARAMETERS_H_
