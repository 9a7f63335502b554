#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cuda/nvrtc_api.h"
#include "tests/cuda_emulation/cubin.h"
#include "tests/cuda_emulation/driver_link.h"
#include "tests/cuda_emulation/host_compiler.h"
#include "tests/cuda_emulation/program_text.h"

namespace lockstep::internal::cuda {

#define LOCKSTEP_DECLARE(member, symbol, ...)                           \
  extern "C" __attribute__((visibility("default"))) nvrtcResult member( \
      __VA_ARGS__) __asm__(symbol);
LOCKSTEP_NVRTC_FUNCTIONS(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE

struct _nvrtcProgram {
  std::string text;
  std::string name;
  std::string log;
  std::string cubin;
};

namespace {

// Options whose value changes nothing here.
constexpr std::string_view kIgnored[] = {
    "--fmad=",
    "-fmad=",
    "--ftz=",
    "-ftz=",
    "--prec-div=",
    "-prec-div=",
    "--prec-sqrt=",
    "-prec-sqrt=",
    "--maxrregcount=",
    "-maxrregcount=",
    "--ptxas-options=",
    "--diag-suppress=",
    "-diag-suppress=",
    "--split-compile=",
    "--include-path=",
    "-I",
    "--generate-line-info",
    "-lineinfo",
    "--device-as-default-execution-space",
    "-default-device",
    "--restrict",
    "-restrict",
    "--disable-warnings",
    "-w",
    "--device-int128",
    "-device-int128",
    "--extra-device-vectorization",
    "-extra-device-vectorization",
    "--no-source-include",
    "-no-source-include",
    "--no-cache",
    "-no-cache",
    "--minimal",
    "-minimal",
};

bool ConsumePrefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool IsIgnored(std::string_view option) {
  for (std::string_view ignored : kIgnored) {
    bool has_value = ignored.back() == '=' || ignored == "-I";
    if (has_value ? ConsumePrefix(option, ignored) : option == ignored) {
      return true;
    }
  }
  return false;
}

// Of a real architecture: a virtual one (compute_90) has no cubin.
bool IsArchitecture(std::string_view name) {
  if (!ConsumePrefix(name, "sm_") || name.size() < 2) return false;
  if (name.back() == 'a' || name.back() == 'f') name.remove_suffix(1);
  for (char c : name) {
    if (c < '0' || c > '9') return false;
  }
  return name.size() == 3 || (name.size() == 2 && name >= "75");
}

// One option of NVRTC as options of the compiler of the host.
bool Translate(std::string_view option, std::vector<std::string>& options) {
  if (ConsumePrefix(option, "--gpu-architecture=") ||
      ConsumePrefix(option, "-arch=")) {
    return IsArchitecture(option);
  }
  std::string_view standard = option;
  if (ConsumePrefix(standard, "--std=") || ConsumePrefix(standard, "-std=")) {
    if (standard != "c++17" && standard != "c++20") return false;
    options[0] = "-std=" + std::string(standard);
    return true;
  }
  std::string_view macro = option;
  if (ConsumePrefix(macro, "--define-macro=") || ConsumePrefix(macro, "-D")) {
    options.push_back("-D" + std::string(macro));
    return true;
  }
  return IsIgnored(option);
}

nvrtcResult Fault(const char* function) {
  return static_cast<nvrtcResult>(DriverLink::Get().Count(function));
}

}  // namespace

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* text,
                               const char* name, int header_count,
                               const char* const* headers,
                               const char* const* header_names) {
  if (program == nullptr || text == nullptr || header_count != 0) {
    return NVRTC_ERROR_INVALID_INPUT;
  }
  if (nvrtcResult fault = Fault("nvrtcCreateProgram")) return fault;
  *program =
      new _nvrtcProgram{.text = text,
                        .name = name == nullptr ? "default_program" : name,
                        .log = "",
                        .cubin = ""};
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (program == nullptr || *program == nullptr) {
    return NVRTC_ERROR_INVALID_PROGRAM;
  }
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count,
                                const char* const* options) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  if (nvrtcResult fault = Fault("nvrtcCompileProgram")) return fault;
  program->log.clear();
  program->cubin.clear();
  std::vector<std::string> host_options = {"-std=c++17"};
  for (int i = 0; i < option_count; ++i) {
    if (Translate(options[i], host_options)) continue;
    program->log = std::string(
                       "nvrtc: error: invalid value for or unknown "
                       "option: ") +
                   options[i] + "\n";
    return NVRTC_ERROR_INVALID_OPTION;
  }
  SharedObject compiled = CompileForHost(
      HostProgram(ScanProgram(program->text), program->name), host_options);
  program->log = compiled.log;
  if (!compiled.ok) return NVRTC_ERROR_COMPILATION;
  CubinHeader header{.size = compiled.object.size()};
  program->cubin.assign(reinterpret_cast<const char*>(&header), sizeof(header));
  program->cubin += compiled.object;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  *size = program->log.size() + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
  if (program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
  *size = program->cubin.size();
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin) {
  if (program == nullptr || program->cubin.empty()) {
    return NVRTC_ERROR_INVALID_PROGRAM;
  }
  program->cubin.copy(cubin, program->cubin.size());
  return NVRTC_SUCCESS;
}

}  // namespace lockstep::internal::cuda
