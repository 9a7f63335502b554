#ifndef LOCKSTEP_CLIENT_CLIENT_H_
#define LOCKSTEP_CLIENT_CLIENT_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/arrays/array.h"
#include "client/arrays/array_layout.h"
#include "client/arrays/view.h"
#include "client/global_arrays/device_put.h"
#include "client/global_arrays/make_array.h"
#include "client/jit/jit.h"
#include "client/pmap/pmap.h"
#include "client/profile/launch_profile.h"
#include "client/programs/program_signature.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// A StableHLO program that a cluster knows. A value type; belongs to the client
// that loaded it.
struct ClusterProgram {
  std::string name;
  int64_t device_count = 0;      // replicas x partitions
  std::vector<Shape> arguments;  // of one device
  std::vector<Shape> results;    // of one device
  // Of a program over whole arrays, one for each argument and each result: its
  // shape and where its shards lie. Empty: the program is one of rows.
  std::vector<std::shared_ptr<const internal::ArrayLayout>> argument_layouts;
  std::vector<std::shared_ptr<const internal::ArrayLayout>> result_layouts;
  std::vector<GlobalDeviceId> devices;
  std::shared_ptr<internal::ViewProgram> program;
};

// The global view: drives all hosts of a cluster whose workers are processes of
// their own. Arrays have all rows of all devices. Cheap to copy; copies share
// the connection, and the last one (arrays count) ends it. Thread-safe.
//
//   LOCKSTEP_ASSIGN_OR_RETURN(
//       Client client, Client::Embedded({.hosts = 2, .devices_per_host = 4}));
//   auto add = client.pmap([](Tensor x) { return x + psum(x, "i"); },
//                          {.axis_name = "i"});
class Client {
 public:
  struct ConnectOptions {
    std::string name = "client";  // for `lockstep status`
    // How long to wait for the coordinator and for a complete cluster.
    absl::Duration deadline = absl::Seconds(30);
    // A folder that `lockstep credentials` made, or a part of it; "": that of
    // `lockstep up --secure`, for its cluster; else LOCKSTEP_SECURITY_DIR; else
    // plain text.
    std::string security_directory = {};
    // In the place of the folder's; "": LOCKSTEP_JOIN_TOKEN.
    std::string join_token = {};
    // Plain text off loopback, which is refused otherwise; also by
    // LOCKSTEP_INSECURE=1.
    bool allow_insecure = false;
    // Lines for people: who is missing, who is waited for. Any thread.
    std::function<void(absl::string_view line)> on_notice = {};
    // Whether large arrays are copied to and from the memory of workers on this
    // machine, where the system permits it; otherwise they travel over a
    // connection.
    bool uses_memory = true;
  };
  // To the coordinator at host:port. UNAVAILABLE names the address;
  // DEADLINE_EXCEEDED the missing hosts; FAILED_PRECONDITION: a certificate or
  // token that is not accepted; PERMISSION_DENIED: one that may only look.
  static absl::StatusOr<Client> Connect(const std::string& address,
                                        const ConnectOptions& options);
  static absl::StatusOr<Client> Connect(const std::string& address) {
    return Connect(address, ConnectOptions());
  }

  struct EmbeddedOptions {
    int hosts = 1;
    int devices_per_host = 1;
    // What the devices are and what compiles for them, "cpu" or "cuda"; "":
    // LOCKSTEP_PLATFORM and LOCKSTEP_BACKEND, else GPUs where there are enough
    // for all hosts.
    std::string platform = {};
    std::string backend = {};
    // Where workers keep compiled code between processes; "":
    // LOCKSTEP_CACHE_DIR, or nowhere.
    std::string cache_directory = {};
    // In which folder the workers save and restore checkpoints; "":
    // LOCKSTEP_CHECKPOINT_DIR, or in none.
    std::string checkpoint_directory = {};
    absl::Duration deadline = absl::Seconds(60);
    // Where the processes' logs go; "": standard error.
    std::string log_directory = {};
  };
  // A cluster of child processes on this machine: a coordinator and a worker
  // per host, of the `lockstep` program (LOCKSTEP_BINARY, else beside this
  // program or library, else on the PATH; NOT_FOUND names the places). It ends
  // with this client, or with this process, however that ends.
  static absl::StatusOr<Client> Embedded(const EmbeddedOptions& options);

  // All devices of all hosts, ascending by id.
  std::vector<Device> devices() const;
  std::vector<Device> local_devices(int host_id) const;
  int device_count() const;
  int host_count() const;
  // Where the coordinator is.
  const std::string& address() const;

  // See pmap.h.
  template <typename F>
  auto pmap(F&& function, PmapOptions options = {}) const {
    options.view = view();
    return lockstep::pmap(std::forward<F>(function), std::move(options));
  }

  // See jit.h.
  template <typename F>
  auto jit(F&& function, JitOptions options = {},
           SourceLocation place = SourceLocation::current()) const {
    options.view = view();
    return lockstep::jit(std::forward<F>(function), std::move(options), place);
  }

  // See device_put.h and make_array.h.
  absl::StatusOr<Array> device_put(const Array& x,
                                   const NamedSharding& sharding) const;
  absl::StatusOr<Array> device_put(const Array& x, const Device& device) const;
  template <internal::ContainerOf<Array> T, typename Target>
  auto device_put(const T& arrays, const Target& target) const {
    return lockstep::device_put(arrays, target, {.view = view()});
  }
  absl::StatusOr<Array> make_array_from_callback(
      const std::vector<int64_t>& dims, const NamedSharding& sharding,
      const ShardCallback& callback) const;

  // Names by which all clients of the cluster know an array. What has a name
  // stays where it is, without a copy, until the name is removed, also when the
  // client ends that gave it.
  //
  // Waits for `array`, which must be on devices. ALREADY_EXISTS says what has
  // the name; with `replaces` that loses it, and whoever found it keeps it.
  // INVALID_ARGUMENT: a value in host memory, an array of another client, an
  // empty name; the error of the array.
  absl::Status NameArray(const std::string& name, const Array& array,
                         bool replaces = false) const;
  // An array of this client that shares the memory: a launch that it is donated
  // to gets a copy while others have it too. NOT_FOUND lists the names;
  // FAILED_PRECONDITION names a host that has taken a part of it along.
  absl::StatusOr<Array> FindArray(const std::string& name) const;
  // The array ends with the last that shares it. NOT_FOUND.
  absl::Status RemoveArray(const std::string& name) const;
  // Ascending.
  absl::StatusOr<std::vector<std::string>> ArrayNames() const;

  struct LoadOptions {
    std::string name = {};  // "": the module's
    // One per replica and partition, replica by replica; none: the first ones.
    std::optional<std::vector<Device>> devices = {};
    std::vector<int> donated_arguments = {};
    std::string file_name = "program";  // for messages
  };
  // Makes a StableHLO module, text or portable bytecode, bare or in a file of
  // jax.export, known to the hosts. One with shardings (sdy) is a program over
  // whole arrays, which its partitions have shards of; any other one is a
  // program of rows, a row for each replica and partition.
  //
  // INVALID_ARGUMENT and UNIMPLEMENTED "file:line:col: .." for what is in the
  // text, also what cannot be split; INVALID_ARGUMENT for more replicas than
  // devices. What hosts find wrong later is in the results of Run.
  absl::StatusOr<ClusterProgram> LoadProgram(absl::string_view program,
                                             const LoadOptions& options) const;
  absl::StatusOr<ClusterProgram> LoadProgram(absl::string_view program) const {
    return LoadProgram(program, LoadOptions());
  }
  // The same of a text that has been read: `signature` is what
  // SignatureOf gave for it.
  absl::StatusOr<ClusterProgram> LoadProgram(
      absl::string_view text, const internal::ProgramSignature& signature,
      const LoadOptions& options) const;

  // Launches and returns. Arguments of a program over whole arrays are laid out
  // as it wants them (device_put), unless they lie so already, and its results
  // are over its mesh. Of a program of rows, row d of an argument goes to
  // device d of the program, and results are stacked likewise.
  //
  // INVALID_ARGUMENT for arguments of a wrong number, shape or type; errors
  // while running are in the results.
  absl::StatusOr<std::vector<Array>> Run(
      const ClusterProgram& program, const std::vector<Array>& arguments) const;

  struct ProfileOptions {
    // How many executions of thunks are kept one by one for each device; the
    // others are in the sums all the same.
    int64_t most_events = 20000;
  };
  // Launches as Run does, waits, and gives the times of what ran instead of the
  // results, which are dropped. The first launch of a program takes longer than
  // later ones: Run it before. Arguments that the program was loaded to be
  // donated are gone.
  //
  // Errors of Run and of its results; UNIMPLEMENTED for devices that are not of
  // the platform "cpu".
  absl::StatusOr<LaunchProfile> Profile(const ClusterProgram& program,
                                        const std::vector<Array>& arguments,
                                        const ProfileOptions& options) const;
  absl::StatusOr<LaunchProfile> Profile(
      const ClusterProgram& program,
      const std::vector<Array>& arguments) const {
    return Profile(program, arguments, ProfileOptions());
  }

  std::shared_ptr<View> view() const;

 private:
  struct State;
  explicit Client(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_CLIENT_H_
