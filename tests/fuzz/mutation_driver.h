#ifndef LOCKSTEP_TESTS_FUZZ_MUTATION_DRIVER_H_
#define LOCKSTEP_TESTS_FUZZ_MUTATION_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// A fuzz target defines these two. Without libFuzzer the driver runs the
// function over the seeds and a fixed number of mutations of them, the same in
// every run.

// Must return 0, and must not crash whatever the bytes are.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

struct FuzzSeeds {
  // Valid inputs, small, one per feature.
  std::vector<std::string> inputs;
  // Words of the format, put in at random places.
  std::vector<std::string> words;
  // Numbers in the inputs are replaced by others, small and extreme.
  bool is_text = false;
};
FuzzSeeds MakeFuzzSeeds();

#endif  // LOCKSTEP_TESTS_FUZZ_MUTATION_DRIVER_H_
