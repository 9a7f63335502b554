#include "coordinator/service/worker_session.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "proto/convert_commands.h"
#include "proto/id_runs.h"
#include "runtime/base/logging.h"

namespace lockstep::internal {

WorkerSession::WorkerSession(Coordinator* coordinator, RosterPublisher* rosters,
                             Incarnation incarnation, std::string peer,
                             std::function<void()> on_closed)
    : coordinator_(coordinator),
      rosters_(rosters),
      incarnation_(incarnation),
      peer_(std::move(peer)),
      on_closed_(std::move(on_closed)) {}

void WorkerSession::Attach(Stream* stream, uint64_t confirmed,
                           Epoch roster_epoch) {
  {
    absl::MutexLock lock(&mutex_);
    if (stream_ != nullptr) {
      stream_->End(absl::CancelledError("the worker has a newer stream"));
    }
    stream_ = stream;
    log_.Confirm(confirmed);
    // The worker takes anything else in the first place for a refusal.
    proto::CoordinatorMessage hello;
    hello.mutable_hello()->set_cluster_id(coordinator_->cluster_id());
    hello.set_confirmed(received_.last());
    stream_->Send(std::move(hello));
    // What was sent of earlier ones may be lost.
    if (roster_ != nullptr && roster_->epoch != roster_epoch) {
      SendRoster(nullptr);
    }
    for (proto::CoordinatorMessage message : log_.unconfirmed()) {
      message.set_confirmed(received_.last());
      stream_->Send(std::move(message));
    }
  }
  // Without the lock, as every call of the coordinator: what it decides may
  // come back here before the call returns.
  coordinator_->SetConnected(incarnation_, true);
}

void WorkerSession::Detach(Stream* stream) {
  {
    absl::MutexLock lock(&mutex_);
    // It was replaced before it broke: the worker is connected.
    if (stream_ != stream) return;
    stream_ = nullptr;
    if (is_closed_) return;
    // Nobody that is missed: it will say hello again, if it wants to join.
    if (!has_asked_to_join_) is_closed_ = true;
  }
  if (!has_asked_to_join_) return on_closed_();
  coordinator_->SetConnected(incarnation_, false);
}

void WorkerSession::OnMessage(const proto::WorkerMessage& message) {
  {
    absl::MutexLock lock(&mutex_);
    // Also from a message that was taken before.
    log_.Confirm(message.confirmed());
    if (!received_.Take(message.sequence())) return;
  }
  if (message.command_taken() > 0) {
    coordinator_->ReceivedCommands(incarnation_, message.command_taken());
  }
  Handle(message);
  // After Handle: what that has sent has confirmed it already.
  if (message.has_progress()) ConfirmReceived();
}

void WorkerSession::Handle(const proto::WorkerMessage& message) {
  const uint64_t id = message.request_id();
  const absl::Duration timeout = absl::Milliseconds(message.timeout_ms());
  switch (message.body_case()) {
    case proto::WorkerMessage::kProgress:
      if (auto report = FromProto(message.progress()); report.ok()) {
        coordinator_->Report(incarnation_, *std::move(report));
      }
      return;
    case proto::WorkerMessage::kJoin:
      // Before the call: a stream that breaks from here on is missed.
      has_asked_to_join_ = true;
      coordinator_->Join(
          FromProto(message.join().info()), peer_, shared_from_this(),
          Reply<Membership>(id, [this](const Membership& membership,
                                       proto::CoordinatorMessage& reply) {
            // Before the reply, which only names the roster's epoch: the join
            // ends when the worker has both.
            PushRoster(membership.roster);
            reply.mutable_membership()->set_host(membership.host.value());
            reply.mutable_membership()->set_epoch(
                membership.roster->epoch.value());
          }));
      return;
    case proto::WorkerMessage::kResolveAxis:
    case proto::WorkerMessage::kAgree:
    case proto::WorkerMessage::kBarrier:
    case proto::WorkerMessage::kCallRoll:
      HandleRendezvous(message, timeout);
      return;
    case proto::WorkerMessage::kKeyValue:
      HandleKeyValue(id, message.key_value(), timeout);
      return;
    case proto::WorkerMessage::kLaunchFailure:
      coordinator_->ReportLaunchFailure(incarnation_,
                                        FromProto(message.launch_failure()));
      return;
    case proto::WorkerMessage::kBusy:
      coordinator_->Busy(incarnation_, message.busy().what(),
                         absl::Milliseconds(message.busy().at_most_ms()));
      return;
    case proto::WorkerMessage::kPreemptionNotice:
      coordinator_->NoticePreemption(incarnation_, timeout);
      return;
    case proto::WorkerMessage::kPreemptionAnswer:
      coordinator_->AnswerPreemption(incarnation_,
                                     message.preemption_answer().agreement(),
                                     message.preemption_answer().last_step());
      return;
    case proto::WorkerMessage::kReady:
      coordinator_->Ready(incarnation_, timeout, ReplyDone(id));
      return;
    case proto::WorkerMessage::kLeave:
      coordinator_->Leave(incarnation_, timeout, ReplyDone(id));
      return;
    case proto::WorkerMessage::kCancel:
      HandleCancel(message.cancel());
      return;
    case proto::WorkerMessage::BODY_NOT_SET:
      if (message.command_taken() > 0) return;
      break;
    case proto::WorkerMessage::kHello:
      break;
  }
  LogWarning(absl::StrCat("a message of ", peer_, " is not understood"));
}

void WorkerSession::HandleRendezvous(const proto::WorkerMessage& message,
                                     absl::Duration timeout) {
  const uint64_t id = message.request_id();
  // How to cancel a request is kept before it is made, since it may be answered
  // at once, and the answer forgets it.
  if (message.has_resolve_axis()) {
    AxisQuery query = FromProto(message.resolve_axis());
    OnCancel(id, [this, key = query.key] {
      coordinator_->CancelAxis(incarnation_, key);
    });
    coordinator_->ResolveAxis(
        incarnation_, std::move(query), timeout,
        Reply<SharedAxis>(
            id, [](const SharedAxis& axis, proto::CoordinatorMessage& reply) {
              *reply.mutable_axis() = ToProto(*axis);
            }));
  } else if (message.has_agree()) {
    AgreementRecord record = FromProto(message.agree());
    OnCancel(id, [this, key = record.key] {
      coordinator_->CancelAgreement(incarnation_, key);
    });
    coordinator_->Agree(
        incarnation_, std::move(record), timeout,
        Reply<AgreementAnswer>(id, [](const AgreementAnswer& answer,
                                      proto::CoordinatorMessage& reply) {
          if (answer == AgreementAnswer::kFieldsWanted) {
            reply.set_fields_wanted(true);
          } else {
            reply.set_done(true);
          }
        }));
  } else if (message.has_call_roll()) {
    RollCall call{message.call_roll().name(),
                  HostsOf(message.call_roll().hosts())};
    OnCancel(id,
             [this, call] { coordinator_->CancelRoll(incarnation_, call); });
    coordinator_->CallRoll(
        incarnation_, std::move(call), timeout,
        Reply<SharedRoll>(
            id, [](const SharedRoll& roll, proto::CoordinatorMessage& reply) {
              reply.mutable_roll()->set_number(roll->number);
              reply.mutable_roll()->set_epoch(roll->epoch.value());
              for (const HostRef& host : roll->hosts) {
                *reply.mutable_roll()->add_hosts() = ToProto(host);
              }
            }));
  } else {
    BarrierCall call;
    call.name = message.barrier().name();
    call.thread = absl::StrCat("call ", id);
    call.timeout = timeout;
    if (message.barrier().participants_size() > 0) {
      call.participants = HostsOf(message.barrier().participants());
    }
    OnCancel(id, [this, name = call.name] {
      coordinator_->CancelBarrier(incarnation_, name);
    });
    coordinator_->Barrier(incarnation_, std::move(call), ReplyDone(id));
  }
}

void WorkerSession::HandleKeyValue(uint64_t id,
                                   const proto::KeyValueRequest& request,
                                   absl::Duration timeout) {
  auto number = [](const int64_t& value, proto::CoordinatorMessage& reply) {
    reply.set_number(value);
  };
  auto bytes = [](const std::string& value, proto::CoordinatorMessage& reply) {
    reply.set_value(value);
  };
  switch (request.operation_case()) {
    case proto::KeyValueRequest::kPut:
      coordinator_->Put(
          incarnation_, request.put().key(), request.put().value(),
          {request.put().overwrite(), Incarnation(request.put().lease())},
          Reply<int64_t>(id, number));
      return;
    case proto::KeyValueRequest::kGet:
      coordinator_->Get(incarnation_, request.get(), timeout,
                        Reply<std::string>(id, bytes));
      return;
    case proto::KeyValueRequest::kTryGet:
      coordinator_->TryGet(incarnation_, request.try_get(),
                           Reply<std::string>(id, bytes));
      return;
    case proto::KeyValueRequest::kIncrement:
      coordinator_->Increment(incarnation_, request.increment().key(),
                              request.increment().delta(),
                              Reply<int64_t>(id, number));
      return;
    case proto::KeyValueRequest::kList:
      coordinator_->List(incarnation_, request.list(),
                         Reply<std::vector<KeyValue>>(
                             id, [](const std::vector<KeyValue>& pairs,
                                    proto::CoordinatorMessage& reply) {
                               for (const KeyValue& pair : pairs) {
                                 *reply.mutable_pairs()->add_pairs() =
                                     ToProto(pair);
                               }
                               reply.mutable_pairs();
                             }));
      return;
    case proto::KeyValueRequest::kDeleteKey:
      coordinator_->Delete(incarnation_, request.delete_key(), ReplyDone(id));
      return;
    case proto::KeyValueRequest::kWatch:
      coordinator_->Watch(incarnation_, request.watch().prefix(),
                          request.watch().revision(), timeout,
                          Reply<std::vector<KeyChange>>(
                              id, [](const std::vector<KeyChange>& changes,
                                     proto::CoordinatorMessage& reply) {
                                for (const KeyChange& change : changes) {
                                  *reply.mutable_changes()->add_changes() =
                                      ToProto(change);
                                }
                                reply.mutable_changes();
                              }));
      return;
    case proto::KeyValueRequest::OPERATION_NOT_SET:
      ReplyDone(id)(absl::InvalidArgumentError(
          "key-value request: expected an operation, found none"));
  }
}

void WorkerSession::OnCancel(uint64_t id, std::function<void()> cancel) {
  absl::MutexLock lock(&mutex_);
  cancels_[id] = std::move(cancel);
}

void WorkerSession::HandleCancel(uint64_t id) {
  std::function<void()> cancel;
  {
    absl::MutexLock lock(&mutex_);
    auto it = cancels_.find(id);
    if (it == cancels_.end()) return;
    cancel = std::move(it->second);
    cancels_.erase(it);
  }
  // Without the lock, which the answer takes that this causes.
  cancel();
}

template <typename T>
Done<T> WorkerSession::Reply(
    uint64_t id,
    std::function<void(const T&, proto::CoordinatorMessage&)> fill) {
  return [session = shared_from_this(), id,
          fill = std::move(fill)](absl::StatusOr<T> result) {
    proto::CoordinatorMessage reply;
    reply.set_request_id(id);
    if (result.ok()) {
      fill(*result, reply);
    } else {
      *reply.mutable_error() = ToProto(result.status());
    }
    {
      absl::MutexLock lock(&session->mutex_);
      session->cancels_.erase(id);
    }
    session->Send(std::move(reply));
  };
}

Done<Nothing> WorkerSession::ReplyDone(uint64_t id) {
  return Reply<Nothing>(id,
                        [](const Nothing&, proto::CoordinatorMessage& reply) {
                          reply.set_done(true);
                        });
}

void WorkerSession::Send(proto::CoordinatorMessage message) {
  absl::MutexLock lock(&mutex_);
  if (is_closed_) return;
  proto::CoordinatorMessage numbered = log_.Append(std::move(message));
  if (stream_ == nullptr) return;
  confirmed_ = received_.last();
  numbered.set_confirmed(confirmed_);
  stream_->Send(std::move(numbered));
}

void WorkerSession::ConfirmReceived() {
  absl::MutexLock lock(&mutex_);
  if (stream_ == nullptr || confirmed_ == received_.last()) return;
  confirmed_ = received_.last();
  proto::CoordinatorMessage message;
  message.set_confirmation(true);
  message.set_confirmed(confirmed_);
  stream_->Send(std::move(message));
}

void WorkerSession::PushRoster(const std::shared_ptr<const Roster>& roster) {
  absl::MutexLock lock(&mutex_);
  if (is_closed_ || roster_ == roster) return;
  const std::shared_ptr<const Roster> known = std::exchange(roster_, roster);
  if (stream_ != nullptr) SendRoster(known);
}

void WorkerSession::SendRoster(const std::shared_ptr<const Roster>& known) {
  proto::CoordinatorMessage message;
  proto::RosterUpdate& update = *message.mutable_roster();
  update = rosters_->NewsOf(roster_, known);
  for (const std::string& secret : roster_->secrets) update.add_secrets(secret);
  message.set_confirmed(received_.last());
  stream_->Send(std::move(message));
}

void WorkerSession::PushFailure(const Failure& failure) {
  proto::CoordinatorMessage message;
  *message.mutable_failure() = ToProto(failure);
  Send(std::move(message));
}

void WorkerSession::PushNotice(absl::string_view line,
                               const std::optional<HostRef>& host) {
  proto::CoordinatorMessage message;
  message.mutable_notice()->set_message(std::string(line));
  if (host) *message.mutable_notice()->mutable_host() = ToProto(*host);
  Send(std::move(message));
}

void WorkerSession::PushCommands(const std::vector<Command>& commands) {
  proto::CoordinatorMessage message;
  for (const Command& command : commands) {
    *message.mutable_commands()->add_commands() = ToProto(command);
  }
  Send(std::move(message));
}

void WorkerSession::PushCutLinks(const std::vector<CutLink>& links) {
  proto::CoordinatorMessage message;
  *message.mutable_cut_links() = ToProto(links);
  Send(std::move(message));
}

void WorkerSession::PushPreemption(int64_t agreement) {
  proto::CoordinatorMessage message;
  message.set_preemption(agreement);
  Send(std::move(message));
}

void WorkerSession::PushPreemptionOutcome(const PreemptionOutcome& outcome) {
  proto::CoordinatorMessage message;
  *message.mutable_preemption_outcome() = ToProto(outcome);
  Send(std::move(message));
}

void WorkerSession::PushShutdown(absl::string_view reason) {
  proto::CoordinatorMessage message;
  message.set_shutdown(std::string(reason));
  Send(std::move(message));
}

void WorkerSession::Close(const absl::Status& why) {
  {
    absl::MutexLock lock(&mutex_);
    if (is_closed_) return;
    is_closed_ = true;
    if (stream_ != nullptr) stream_->End(why);
    stream_ = nullptr;
  }
  on_closed_();
}

}  // namespace lockstep::internal
