// Who may call what, over real connections.
#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "client/cli/coordinator_calls.h"
#include "coordinator/server.h"
#include "proto/callback_threads.h"
#include "proto/channel.h"
#include "proto/grpc_status.h"
#include "proto/lockstep/coordinator.pb.h"
#include "proto/lockstep/worker.pb.h"
#include "proto/security/security_directory.h"
#include "proto/server.h"
#include "runtime/cluster/worker_info.h"
#include "runtime/worker/daemon/shard_service.h"
#include "runtime/worker/session/coordinator_session.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

absl::Time Soon() { return absl::Now() + absl::Seconds(60); }

Credentials PlainWithTokens() {
  Credentials credentials;
  credentials.token = "master";
  credentials.accepted_tokens = {{Role::kView, "looker"},
                                 {Role::kSubmit, "runner"},
                                 {Role::kAdmin, "master"}};
  return credentials;
}

std::unique_ptr<CoordinatorServer> StartCoordinator(
    const Credentials& credentials) {
  CoordinatorServer::Options options;
  options.credentials = credentials;
  auto server = CoordinatorServer::Start(std::move(options));
  EXPECT_TRUE(server.ok()) << server.status();
  return *std::move(server);
}

// `full_method`: "/lockstep.proto.Coordinator/GetStatus". With one message.
absl::Status Call(const std::string& address, const std::string& full_method,
                  const std::string& token, const std::string& message) {
  Credentials credentials;
  credentials.token = token;
  KeepCallbackThreads();
  grpc::GenericStub stub(OpenChannel(address, credentials));
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(Soon()));
  const grpc::Slice slice(message);
  grpc::ByteBuffer request(&slice, 1);
  grpc::ByteBuffer reply;
  absl::Notification done;
  absl::Status status;
  stub.UnaryCall(&context, full_method, grpc::StubOptions(), &request, &reply,
                 [&](grpc::Status result) {
                   status = FromGrpcStatus(result);
                   done.Notify();
                 });
  done.WaitForNotification();
  return status;
}

// Every call of a service, by tokens of lower roles than it needs.
void ExpectAllCallsGuarded(const google::protobuf::ServiceDescriptor& service,
                           const std::string& address) {
  ASSERT_GT(service.method_count(), 0);
  for (int i = 0; i < service.method_count(); ++i) {
    const auto& method = *service.method(i);
    const std::string call = absl::StrCat(service.name(), "/", method.name());
    const std::string path =
        absl::StrCat("/", service.full_name(), "/", method.name());
    ASSERT_TRUE(RolesByCall().contains(call)) << call << " has no role";
    for (const char* token : {"", "wrong"}) {
      const absl::Status status = Call(address, path, token, "");
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition)
          << call << ": " << status;
      EXPECT_THAT(std::string(status.message()),
                  AllOf(HasSubstr(call), HasSubstr("token")));
    }
    for (const auto& [role, token] : PlainWithTokens().accepted_tokens) {
      if (role >= RequiredRole(call)) continue;
      const absl::Status status = Call(address, path, token, "");
      EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied)
          << call << ": " << status;
      EXPECT_THAT(std::string(status.message()),
                  AllOf(HasSubstr(call),
                        HasSubstr(std::string(RoleName(RequiredRole(call)))),
                        Not(HasSubstr(token))));
    }
  }
}

TEST(Admission, EveryCallOfTheCoordinatorAsksForARole) {
  const auto server = StartCoordinator(PlainWithTokens());
  ExpectAllCallsGuarded(
      *proto::GetStatusRequest::descriptor()->file()->service(0),
      server->address());
}

TEST(Admission, EveryCallOfAWorkerAsksForARole) {
  ArrayStore arrays;
  ShardService service(&arrays, Incarnation(1), Admission(PlainWithTokens()),
                       /*checkpoint_directory=*/"");
  auto server = StartServer(
      {.address = "127.0.0.1:0", .credentials = PlainWithTokens()}, &service);
  ASSERT_TRUE(server.ok()) << server.status();
  ExpectAllCallsGuarded(*proto::ShardChunk::descriptor()->file()->service(0),
                        (*server)->address());
}

TEST(Admission, ViewMayLook) {
  const auto server = StartCoordinator(PlainWithTokens());
  Credentials looker;
  looker.token = "looker";
  const auto report = GetClusterStatus(server->address(), Soon(), looker);
  EXPECT_TRUE(report.ok()) << report.status();
}

// Spec M-17.
TEST(Admission, JoinWithAWrongTokenFailsAtOnceAndNamesTheAddress) {
  const auto server = StartCoordinator(PlainWithTokens());
  SessionOptions options;
  options.address = server->address();
  options.credentials.token = "guess";
  ControlPlaneObserver observer;
  const auto session = MakeCoordinatorSession(options);
  WorkerInfo info;
  info.name = "stranger";
  info.incarnation = Incarnation(7);
  const absl::Status status = session->Join(info, &observer).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(server->address()), Not(HasSubstr("guess"))));
}

TEST(Admission, ClientsOfAnotherProtocolAreToldBoth) {
  const auto server = StartCoordinator(PlainWithTokens());
  const std::string open = "/lockstep.proto.Coordinator/OpenClient";
  proto::ClientMessage message;
  message.mutable_hello()->set_name("old");
  const absl::Status status =
      Call(server->address(), open, "runner", message.SerializeAsString());
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("'old' speaks protocol 0"),
            HasSubstr(absl::StrCat("the coordinator ", kProtocolVersion))));
}

class TlsTest : public ::testing::Test {
 protected:
  TlsTest() {
    std::string pattern = ::testing::TempDir() + "/tls-XXXXXX";
    root_ = mkdtemp(pattern.data());
    for (const char* name : {"ours", "theirs"}) {
      const absl::Status made = CreateSecurityDirectory(
          root_ + "/" + name, absl::Now(), absl::Hours(1));
      EXPECT_TRUE(made.ok()) << made;
    }
    ours_ = Load("ours");
    theirs_ = Load("theirs");
  }
  ~TlsTest() override { std::filesystem::remove_all(root_); }

  Credentials Load(const std::string& name) {
    auto credentials = LoadCredentials({.directory = root_ + "/" + name});
    EXPECT_TRUE(credentials.ok()) << credentials.status();
    return *credentials;
  }
  void ExpectRefused(const std::string& address, const Credentials& credentials,
                     const std::string& why) {
    const auto report = GetClusterStatus(address, Soon(), credentials);
    EXPECT_EQ(report.status().code(), absl::StatusCode::kFailedPrecondition)
        << report.status();
    EXPECT_THAT(std::string(report.status().message()),
                AllOf(HasSubstr(address), HasSubstr(why)));
  }

  std::string root_;
  Credentials ours_, theirs_;
};

TEST_F(TlsTest, OursAreAdmitted) {
  const auto server = StartCoordinator(ours_);
  for (const char* name : {"ours", "ours/submit", "ours/view"}) {
    const auto report = GetClusterStatus(server->address(), Soon(), Load(name));
    EXPECT_TRUE(report.ok()) << name << ": " << report.status();
  }
}

TEST_F(TlsTest, ForeignersAreToldWhy) {
  const auto server = StartCoordinator(ours_);
  ExpectRefused(server->address(), theirs_, "not accepted by our ca.pem");
  ExpectRefused(server->address(), Credentials(), "speaks TLS only");
  Credentials foreign_certificate = ours_;
  foreign_certificate.certificate = theirs_.certificate;
  foreign_certificate.private_key = theirs_.private_key;
  ExpectRefused(server->address(), foreign_certificate,
                "our certificate is not accepted there");
  Credentials foreign_token = ours_;
  foreign_token.token = theirs_.token;
  ExpectRefused(server->address(), foreign_token, "none of this cluster's");
  Credentials no_token = ours_;
  no_token.token.clear();
  ExpectRefused(server->address(), no_token, "none was given");
}

TEST_F(TlsTest, OutdatedCertificatesAreNotAccepted) {
  ASSERT_TRUE(CreateSecurityDirectory(
                  root_ + "/old", absl::Now() - absl::Hours(48), absl::Hours(1))
                  .ok());
  const Credentials old = Load("old");
  const auto server = StartCoordinator(old);
  ExpectRefused(server->address(), old, "certificate has expired");
}

TEST_F(TlsTest, PlainServersAreNamedAsSuch) {
  const auto server = StartCoordinator(Credentials());
  ExpectRefused(server->address(), ours_, "speaks plain text");
}

// Who may only run programs cannot pose as the coordinator.
TEST_F(TlsTest, CertificatesOfPeopleCannotServe) {
  const auto server = StartCoordinator(Load("ours/submit"));
  ExpectRefused(server->address(), ours_, "not accepted by our ca.pem");
}

TEST_F(TlsTest, ServersNeedATokenToAskFor) {
  CoordinatorServer::Options options;
  options.credentials = ours_;
  options.credentials.accepted_tokens.clear();
  EXPECT_EQ(CoordinatorServer::Start(options).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace lockstep::internal
