#ifndef LOCKSTEP_TESTS_BENCHMARK_TRANSFORMER_TEXT_H_
#define LOCKSTEP_TESTS_BENCHMARK_TRANSFORMER_TEXT_H_

#include <string>

namespace lockstep::internal {

// StableHLO text of the forward pass of a transformer, as JAX would export it:
// about 50 ops per layer (layer norm, attention with softmax, gelu), parameters
// as arguments, values of rows with a dim of size 1.
std::string TransformerText(int layers);

// A module whose text is about `megabytes` MB, nearly all of it constants as
// hex blobs of 1 MB.
std::string HexConstantsText(int megabytes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_BENCHMARK_TRANSFORMER_TEXT_H_
