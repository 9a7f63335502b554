#ifndef LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_DATA_H_
#define LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_DATA_H_

#include <cstdint>

#include "client/lockstep.h"

namespace lockstep::examples {

// What the model learns: each row counts up from a random token, by 1, 2, 3 or
// 4, and begins again behind the last token. So the next token is known from
// two, and a model that looks at one alone stays at log(4).
//
// The batch of a step, s32 [rows, tokens], a value in host memory: the same on
// every host, and whatever steps were done before it.
Array CountingBatch(int64_t step, int64_t rows, int64_t tokens,
                    int64_t vocabulary);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_TRANSFORMER_DATA_H_
