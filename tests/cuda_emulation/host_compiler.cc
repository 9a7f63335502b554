#include "tests/cuda_emulation/host_compiler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

extern char** environ;

namespace lockstep::internal::cuda {
namespace {

// No fast mathematics and no contraction, as NVRTC is told with --fmad=false.
constexpr const char* kFlags[] = {
    "-O1",
    "-w",
    "-fPIC",
    "-shared",
    "-nostartfiles",
    "-nodefaultlibs",
    "-fvisibility=hidden",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-asynchronous-unwind-tables",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fmax-errors=20",
    "-fdiagnostics-color=never",
#ifdef __x86_64__
    "-mtls-dialect=gnu2",
#endif
};

std::string Variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// Where programs are kept, or "".
std::string CacheFolder() {
  return Variable("LOCKSTEP_CUDA_EMULATION_CACHE",
                  Variable("TEST_TMPDIR", "").c_str());
}

std::string NewPathPrefix() {
  static std::atomic<int> count{0};
  std::string folder =
      Variable("TEST_TMPDIR", Variable("TMPDIR", "/tmp").c_str());
  return folder + "/lockstep-emulation-" + std::to_string(getpid()) + "-" +
         std::to_string(count++);
}

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// The exit status, or -1.
int RunCompiler(const std::vector<std::string>& command,
                const std::string& log_path) {
  std::vector<char*> arguments;
  for (const std::string& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 2, log_path.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t pid = 0;
  int error = posix_spawnp(&pid, arguments[0], &actions, nullptr,
                           arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return -1;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

SharedObject Compile(std::vector<std::string> command,
                     const std::string& source) {
  std::string prefix = NewPathPrefix();
  std::string source_path = prefix + ".cc";
  std::string object_path = prefix + ".so";
  std::string log_path = prefix + ".log";
  std::ofstream(source_path, std::ios::binary) << source;
  command.insert(command.end(), {"-o", object_path, source_path, "-lm", "-lc"});
  SharedObject program;
  int status = RunCompiler(command, log_path);
  program.ok = status == 0;
  if (program.ok) {
    program.object = Read(object_path);
  } else {
    program.log = status < 0 ? command[0] + " could not be run\n" : "";
    program.log += Read(log_path);
  }
  for (const std::string& path : {source_path, object_path, log_path}) {
    unlink(path.c_str());
  }
  return program;
}

uint64_t Digest(const std::string& text, uint64_t seed) {
  uint64_t digest = seed;
  for (char c : text) {
    digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    digest ^= digest >> 29;
  }
  return digest;
}

// Appears at `path` whole or not at all.
void Keep(const std::string& path, const std::string& bytes) {
  static std::atomic<int> count{0};
  std::string partial =
      path + "." + std::to_string(getpid()) + "." + std::to_string(count++);
  std::ofstream file(partial, std::ios::binary);
  file << bytes;
  file.close();
  if (!file || std::rename(partial.c_str(), path.c_str()) != 0) {
    unlink(partial.c_str());
  }
}

struct Kept {
  std::mutex mutex;
  std::map<std::string, std::string> objects;  // By key.
};

Kept& kept() {
  static auto* const kept = new Kept;
  return *kept;
}

}  // namespace

SharedObject CompileForHost(const std::string& source,
                            const std::vector<std::string>& options) {
  std::vector<std::string> command = {
      Variable("LOCKSTEP_CUDA_EMULATION_CXX", "/usr/bin/c++")};
  command.insert(command.end(), std::begin(kFlags), std::end(kFlags));
  command.insert(command.end(), options.begin(), options.end());
  std::string text = source;
  for (const std::string& word : command) text += '\0' + word;
  char key[40];
  std::snprintf(
      key, sizeof(key), "%016llx%016llx",
      static_cast<unsigned long long>(Digest(text, 0xcbf29ce484222325)),
      static_cast<unsigned long long>(Digest(text, 0x9e3779b97f4a7c15)));
  {
    std::lock_guard lock(kept().mutex);
    auto found = kept().objects.find(key);
    if (found != kept().objects.end()) return {true, found->second, ""};
  }
  std::string folder = CacheFolder();
  std::string path = folder + "/" + key + ".emulated";
  SharedObject program;
  if (!folder.empty()) program.object = Read(path);
  program.ok = !program.object.empty();
  if (!program.ok) {
    program = Compile(std::move(command), source);
    if (!program.ok) return program;
    if (!folder.empty()) Keep(path, program.object);
  }
  std::lock_guard lock(kept().mutex);
  kept().objects[key] = program.object;
  return program;
}

}  // namespace lockstep::internal::cuda
