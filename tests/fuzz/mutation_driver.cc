// Runs a fuzz target without libFuzzer:
//   TARGET [--runs=N] [--seed=N]   seeds and N mutations (default 20000)
//   TARGET --seconds=N             seeds and mutations for so long
//   TARGET --write-seeds=DIR       the seeds as files, a corpus for libFuzzer
//   TARGET FILE...                 these inputs
// A crash prints the input, with bytes outside ASCII as \xNN.
#include "tests/fuzz/mutation_driver.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

namespace {

constexpr size_t kLongestInput = 1 << 16;

std::string current_input;

void PrintInputAndDie(int signal) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr char kTitle[] = "\ncrash on the input: ";
  ssize_t ignored = write(2, kTitle, sizeof(kTitle) - 1);
  for (unsigned char c : current_input) {
    const char escaped[] = {'\\', 'x', kDigits[c >> 4], kDigits[c & 15]};
    const bool is_plain = c >= ' ' && c < 0x7F && c != '\\';
    ignored = is_plain ? write(2, &c, 1) : write(2, escaped, sizeof(escaped));
  }
  ignored = write(2, "\n", 1);
  static_cast<void>(ignored);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void Run(std::string input) {
  current_input = std::move(input);
  // A copy of exactly this size, so that a sanitizer sees every step beyond.
  std::vector<uint8_t> bytes(current_input.begin(), current_input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

class Mutator {
 public:
  Mutator(FuzzSeeds seeds, uint64_t seed)
      : seeds_(std::move(seeds)), random_(seed) {}

  std::string Next() {
    std::string input = Any(seeds_.inputs);
    // Mostly few changes: many land in the first check.
    for (size_t n = size_t{1} << Below(4); n > 0; --n) Mutate(input);
    input.resize(std::min(input.size(), kLongestInput));
    return input;
  }

 private:
  size_t Below(size_t limit) { return random_() % limit; }
  const std::string& Any(const std::vector<std::string>& list) {
    return list[Below(list.size())];
  }

  void Mutate(std::string& input) {
    const size_t at = Below(input.size() + 1);
    const size_t length = Below(std::min<size_t>(input.size() - at, 16) + 1);
    const std::string slice = input.substr(at, length);
    if (seeds_.is_text && Below(2) == 0) return ReplaceNumber(input, at);
    switch (Below(8)) {
      case 0:
        if (at < input.size()) input[at] ^= static_cast<char>(1 << Below(8));
        break;
      case 1:
        if (at < input.size()) input[at] = static_cast<char>(random_());
        break;
      case 2:
        input.erase(at, length);
        break;
      case 3:
        input.insert(Below(input.size() + 1), slice);
        break;
      case 4:
        input.resize(at);
        break;
      case 5:
        if (!seeds_.words.empty()) input.insert(at, Any(seeds_.words));
        break;
      case 6:
        if (!seeds_.words.empty()) input.replace(at, length, Any(seeds_.words));
        break;
      case 7: {
        const std::string& other = Any(seeds_.inputs);
        input.resize(at);
        input += other.substr(Below(other.size() + 1));
        break;
      }
    }
  }

  // The first number at or behind `at`.
  void ReplaceNumber(std::string& input, size_t at) {
    static const std::vector<std::string> kNumbers = {"0",
                                                      "1",
                                                      "2",
                                                      "3",
                                                      "5",
                                                      "-1",
                                                      "-2",
                                                      "100",
                                                      "1000000",
                                                      "2147483648",
                                                      "4294967296",
                                                      "4611686018427387904",
                                                      "9223372036854775807",
                                                      "-9223372036854775808"};
    const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto begin = std::find_if(input.begin() + at, input.end(), is_digit);
    const auto end = std::find_if_not(begin, input.end(), is_digit);
    input.replace(begin, end, Any(kNumbers));
  }

  const FuzzSeeds seeds_;
  std::mt19937_64 random_;
};

bool TakeNumber(const std::string& argument, const std::string& flag,
                uint64_t& value) {
  if (argument.rfind(flag, 0) != 0) return false;
  value = std::strtoull(argument.c_str() + flag.size(), nullptr, 10);
  return true;
}

struct Arguments {
  uint64_t runs = 20000;
  uint64_t seed = 1;
  uint64_t seconds = 0;
  std::string write_seeds;
  std::vector<std::string> files;
};

Arguments ParseArguments(int argc, char** argv) {
  constexpr char kWriteSeeds[] = "--write-seeds=";
  Arguments parsed;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (TakeNumber(argument, "--runs=", parsed.runs)) continue;
    if (TakeNumber(argument, "--seed=", parsed.seed)) continue;
    if (TakeNumber(argument, "--seconds=", parsed.seconds)) continue;
    if (argument.rfind(kWriteSeeds, 0) == 0) {
      parsed.write_seeds = argument.substr(sizeof(kWriteSeeds) - 1);
    } else {
      parsed.files.push_back(argument);
    }
  }
  return parsed;
}

int RunFiles(const std::vector<std::string>& files) {
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot open %s\n", name.c_str());
      return 1;
    }
    Run({std::istreambuf_iterator<char>(file), {}});
  }
  return 0;
}

int WriteSeeds(const FuzzSeeds& seeds, const std::string& folder) {
  for (size_t i = 0; i < seeds.inputs.size(); ++i) {
    std::ofstream file(folder + "/seed" + std::to_string(i), std::ios::binary);
    if (!(file << seeds.inputs[i] << std::flush)) return 1;
  }
  return 0;
}

void RunMutations(const FuzzSeeds& seeds, const Arguments& arguments) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(arguments.seconds);
  Mutator mutator(seeds, arguments.seed);
  uint64_t done = 0;
  while (arguments.seconds > 0 ? Clock::now() < end : done < arguments.runs) {
    Run(mutator.Next());
    ++done;
  }
  std::printf("%zu seeds, %llu mutations\n", seeds.inputs.size(),
              static_cast<unsigned long long>(done));
}

}  // namespace

int main(int argc, char** argv) {
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    std::signal(signal, PrintInputAndDie);
  }
  const Arguments arguments = ParseArguments(argc, argv);
  if (!arguments.files.empty()) return RunFiles(arguments.files);
  const FuzzSeeds seeds = MakeFuzzSeeds();
  if (!arguments.write_seeds.empty()) {
    return WriteSeeds(seeds, arguments.write_seeds);
  }
  Run("");
  for (const std::string& input : seeds.inputs) Run(input);
  RunMutations(seeds, arguments);
  return 0;
}
