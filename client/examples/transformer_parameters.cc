#include "client/examples/transformer_parameters.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "client/examples/split_mix.h"

namespace lockstep::examples {
namespace {

constexpr uint64_t kInitialSeed = 1;

// A product with it keeps the size of `inputs` values that are added.
Array Uniform(const std::vector<int64_t>& dims, int64_t inputs,
              SplitMix& random) {
  const float limit = std::sqrt(3.0f / static_cast<float>(inputs));
  Literal literal(Shape(ElementType::kF32, dims));
  for (float& value : literal.mutable_data<float>()) {
    value = random.NextWithin(limit);
  }
  return literal;
}

Array Ones(int64_t size) {
  return Literal::FromValues<float>(
      {size}, std::vector<float>(static_cast<size_t>(size), 1.0f));
}

BlockParameters<Array> InitialBlock(const TransformerSizes& sizes,
                                    SplitMix& random) {
  const std::vector<int64_t> projection = {sizes.width, sizes.heads,
                                           sizes.head_width()};
  BlockParameters<Array> block;
  block.attention_norm = Ones(sizes.width);
  block.query = Uniform(projection, sizes.width, random);
  block.key = Uniform(projection, sizes.width, random);
  block.value = Uniform(projection, sizes.width, random);
  block.attention_output = Uniform(
      {sizes.heads, sizes.head_width(), sizes.width}, sizes.width, random);
  block.mlp_norm = Ones(sizes.width);
  block.mlp_in = Uniform({sizes.width, sizes.hidden}, sizes.width, random);
  block.mlp_out = Uniform({sizes.hidden, sizes.width}, sizes.hidden, random);
  return block;
}

}  // namespace

TransformerParameters<Array> InitialTransformerParameters(
    const TransformerSizes& sizes) {
  SplitMix random(kInitialSeed);
  TransformerParameters<Array> parameters;
  // Of an embedding one row is taken.
  parameters.token_embedding =
      Uniform({sizes.vocabulary, sizes.width}, 1, random);
  parameters.positions = Uniform({sizes.length, sizes.width}, 1, random);
  for (int64_t i = 0; i < sizes.blocks; ++i) {
    parameters.blocks.push_back(InitialBlock(sizes, random));
  }
  parameters.final_norm = Ones(sizes.width);
  parameters.logits =
      Uniform({sizes.width, sizes.vocabulary}, sizes.width, random);
  return parameters;
}

TransformerState<Array> InitialTransformerState(const TransformerSizes& sizes) {
  TransformerState<Array> state;
  state.parameters = InitialTransformerParameters(sizes);
  state.velocity =
      tree_map([](const Array& x) { return Array(Literal(x.shape())); },
               state.parameters);
  state.step = Literal::Scalar<int32_t>(0);
  return state;
}

}  // namespace lockstep::examples
