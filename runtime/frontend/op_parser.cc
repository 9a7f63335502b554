#include "runtime/frontend/op_parser.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/location_parser.h"
#include "runtime/frontend/op_reader.h"
#include "runtime/frontend/operands_text.h"
#include "runtime/frontend/type_parser.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {
namespace {

// At the token itself, also when it begins a line: nothing is missing before.
absl::Status UnexpectedItem(const Cursor& cursor, absl::string_view expected) {
  Cursor at(cursor);
  at.MoveTo(cursor.token().begin());
  return at.Unexpected(expected);
}

}  // namespace

absl::Status OpParser::ParseRegion(absl::Span<const NamedArgument> arguments,
                                   Region& region) {
  const NestingGuard guard(cursor_);
  RETURN_IF_ERROR(guard.Check());
  const size_t mark = values_.Mark();
  for (const NamedArgument& argument : arguments) {
    RETURN_IF_ERROR(values_.DefineArgument(cursor_, argument.name,
                                           region.AddArgument(argument.type)));
  }
  RETURN_IF_ERROR(cursor_.Expect("{"));
  RETURN_IF_ERROR(ParseBlock(region));
  RETURN_IF_ERROR(cursor_.Expect("}"));
  values_.Release(mark);
  return absl::OkStatus();
}

absl::Status OpParser::ParseBlock(Region& region) {
  if (cursor_.Is(TokenKind::kBlockName)) RETURN_IF_ERROR(ParseLabel(region));
  while (!cursor_.Is("}")) {
    if (cursor_.Is(TokenKind::kBlockName)) {
      return ErrorAt(cursor_.location(), absl::StatusCode::kUnimplemented,
                     "regions with several blocks are not supported");
    }
    RETURN_IF_ERROR(ParseOp(region));
  }
  return absl::OkStatus();
}

// ^bb0(%x: tensor<f32>, %y: tensor<f32>):
absl::Status OpParser::ParseLabel(Region& region) {
  cursor_.Advance();
  if (cursor_.Is("(") && !region.arguments().empty()) {
    return cursor_.Error(
        "expected ':', found arguments of a block whose arguments stand "
        "before it");
  }
  if (cursor_.TryConsume("(") && !cursor_.TryConsume(")")) {
    do {
      Token name;
      RETURN_IF_ERROR(
          cursor_.Take(TokenKind::kValueName, "an argument's name", &name));
      RETURN_IF_ERROR(cursor_.Expect(":"));
      ASSIGN_OR_RETURN(Type type, ParseType(cursor_));
      RETURN_IF_ERROR(SkipOptionalLocation(cursor_));
      RETURN_IF_ERROR(values_.DefineArgument(
          cursor_, name, region.AddArgument(std::move(type))));
    } while (cursor_.TryConsume(","));
    RETURN_IF_ERROR(cursor_.Expect(")"));
  }
  return cursor_.Expect(":");
}

absl::Status OpParser::ParseResultNames(std::vector<ResultName>& names) {
  do {
    ResultName result{{}, 1};
    RETURN_IF_ERROR(
        cursor_.Take(TokenKind::kValueName, "a value's name", &result.name));
    if (cursor_.TryConsume(":")) {
      Token count;
      RETURN_IF_ERROR(
          cursor_.Take(TokenKind::kInteger, "a number of results", &count));
      if (!absl::SimpleAtoi(count.text, &result.count) || result.count < 1) {
        return InvalidAt(cursor_.LocationOf(count),
                         absl::StrCat("expected a number of results above 0, "
                                      "found ",
                                      count.text));
      }
    }
    names.push_back(result);
  } while (cursor_.TryConsume(","));
  return cursor_.Expect("=");
}

absl::Status OpParser::DefineResults(const std::vector<ResultName>& names,
                                     const Token& op_name, const Op& op) {
  if (names.empty()) return absl::OkStatus();
  int64_t named = 0;
  for (const ResultName& result : names) named += result.count;
  if (named != op.result_count()) {
    return InvalidAt(
        cursor_.LocationOf(op_name),
        absl::StrCat(op.name(), ": expected names for ", op.result_count(),
                     " results, found ", named));
  }
  int first = 0;
  for (const ResultName& result : names) {
    RETURN_IF_ERROR(
        values_.DefineResults(cursor_, result.name, op, first, result.count));
    first += result.count;
  }
  return absl::OkStatus();
}

absl::Status OpParser::ParseOp(Region& region) {
  std::vector<ResultName> names;
  if (cursor_.Is(TokenKind::kValueName)) {
    RETURN_IF_ERROR(ParseResultNames(names));
  }
  const Token op_name = cursor_.token();
  OpState state;
  state.location = cursor_.location();
  if (op_name.kind == TokenKind::kString) {
    RETURN_IF_ERROR(ParseGenericOp(state));
  } else if (op_name.kind == TokenKind::kWord) {
    RETURN_IF_ERROR(ParsePrettyOp(state));
  } else {
    return UnexpectedItem(cursor_, "an op or '}'");
  }
  ASSIGN_OR_RETURN(state.location.source, ParseOptionalLocation(cursor_));
  const Op* op = region.Append(std::make_unique<Op>(std::move(state)));
  return DefineResults(names, op_name, *op);
}

absl::Status OpParser::ParsePrettyOp(OpState& state) {
  const absl::string_view name = cursor_.token().text;
  state.def = OpRegistry::Get().Find(name);
  if (state.def == nullptr) {
    if (!absl::StrContains(name, '.')) return UnexpectedItem(cursor_, "an op");
    return ErrorAt(state.location, absl::StatusCode::kUnimplemented,
                   absl::StrCat("op ", name, " is not supported"));
  }
  state.name = state.def->name();
  if (!state.def->assembly().parse) {
    return cursor_.Error(absl::StrCat("expected \"", state.name,
                                      "\" (it has "
                                      "only the generic form), found ",
                                      name));
  }
  cursor_.Advance();
  OpReader reader(cursor_, *this, state.name, state.location);
  return state.def->assembly().parse(reader, state);
}

std::string OpParser::OperandsText(
    absl::Span<const Value* const> operands) const {
  return lockstep::internal::OperandsText(operands, [&](const Value* value) {
    return values_.Describe(cursor_.source(), value);
  });
}

}  // namespace lockstep::internal
