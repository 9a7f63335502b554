#!/usr/bin/env bash
# Builds everything and runs every check and test: formatting, includes,
# dependencies, locks and layers by clang, clang-tidy, rows of behaviour, what
# documents name, programs that mpirun and Slurm start, all test targets, and
# those of tsan_tests.txt once more under the thread sanitizer.
# Installs what is missing first. What failed is said once more at the end, with
# what the check found or the test case said. The last line says "N passed, M
# failed" (test cases and checks); exits with 1 when M is not 0.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
# shellcheck source=deploy/bazel.sh
source deploy/bazel.sh

passed=0
failed=0
failures=()

record() {  # record NAME STATUS
  if (($2 == 0)); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    failures+=("$1")
  fi
}

run_check() {  # run_check NAME COMMAND...
  local name="$1" status=0 log
  shift
  echo "== $name"
  log="$(mktemp)"
  "$@" 2>&1 | tee "$log" || status=$?
  record "$name" "$status"
  ((status == 0)) || failures+=("$(tail -n 20 "$log" | sed 's/^/  /')")
  rm -f "$log"
}

# The failed cases of XMLS with what they said, the first lines of each message.
failed_cases() {  # failed_cases XMLS...
  awk '
    match($0, /<testcase name="[^"]*"/) {
      name = substr($0, RSTART + 16, RLENGTH - 17)
      class = ""
      if (match($0, /classname="[^"]*"/))
        class = substr($0, RSTART + 11, RLENGTH - 12) "."
    }
    match($0, /<(failure|error) message="[^"]*"/) {
      text = substr($0, RSTART, RLENGTH)
      sub(/^[^"]*"/, "", text)
      sub(/"$/, "", text)
      lines = split(text, line, /&#x0A;/)
      print "  " class name
      for (i = 1; i <= lines && i <= 12; i++) {
        gsub(/&quot;/, "\"", line[i])
        gsub(/&apos;/, "\047", line[i])
        gsub(/&lt;/, "<", line[i])
        gsub(/&gt;/, ">", line[i])
        gsub(/&amp;/, "\\&", line[i])
        print "    " substr(line[i], 1, 400)
      }
    }' "$@"
}

# Sums up the test cases of every target of a `bazel test` output: the counts of
# its test.xml, or of those of its shards, when it has any, else the target as
# one case.
count_cases() {  # count_cases LOG TESTLOGS_DIRECTORY
  local label verdict logs tests bad
  local -a xmls
  while read -r label verdict; do
    logs="$2/${label#//}"
    logs="${logs/://}"
    xmls=("$logs"/shard_*/test.xml)
    [[ -f "${xmls[0]}" ]] || xmls=("$logs/test.xml")
    tests=0 bad=0
    if [[ -f "${xmls[0]}" ]]; then
      read -r tests bad < <(awk '
        /<testsuites / {
          tests = failures = errors = 0
          if (match($0, / tests="[0-9]+"/))
            tests = substr($0, RSTART + 8, RLENGTH - 9)
          if (match($0, / failures="[0-9]+"/))
            failures = substr($0, RSTART + 11, RLENGTH - 12)
          if (match($0, / errors="[0-9]+"/))
            errors = substr($0, RSTART + 9, RLENGTH - 10)
          if (match($0, / disabled="[0-9]+"/))
            tests -= substr($0, RSTART + 11, RLENGTH - 12)
          t += tests; b += failures + errors
        }
        END { print t + 0, b + 0 }' "${xmls[@]}")
    fi
    if [[ "$verdict" == PASSED || "$verdict" == FLAKY ]]; then
      passed=$((passed + (tests > bad ? tests - bad : 1)))
    else
      ((bad > 0)) || bad=1
      failed=$((failed + bad))
      passed=$((passed + (tests > bad ? tests - bad : 0)))
      failures+=("$label ($verdict)")
      [[ ! -f "${xmls[0]}" ]] || failures+=("$(failed_cases "${xmls[@]}")")
    fi
  done < <(awk '
    /^\/\/[^ ]+ / {
      for (i = 2; i <= NF; i++)
        if ($i ~ /^(PASSED|FLAKY|FAILED|TIMEOUT|INCOMPLETE)$/ || $i == "NO") {
          print $1, $i == "NO" ? "NO_STATUS" : $i
          break
        }
    }' "$1")
}

run_tests() {  # run_tests NAME TARGETS_AND_FLAGS...
  local name="$1" status=0 log testlogs
  shift
  echo "== $name"
  log="$(mktemp)"
  bazel_ test --keep_going --color=no "$@" 2>&1 | tee "$log" || status=$?
  testlogs="$(bazel_ info "${config[@]}" bazel-testlogs 2>/dev/null)"
  local before=$((passed + failed))
  local failed_before=$failed
  count_cases "$log" "$testlogs"
  if ((status != 0 && failed == failed_before)); then
    record "$name (bazel exited with $status)" "$status"
  elif ((passed + failed == before)); then
    record "$name (no test ran)" 1
  fi
  rm -f "$log"
}

deploy/setup.sh
run_check "bazel build //..." bazel_ build --keep_going //...
run_check "clang-format" deploy/checks/format.sh
run_check "includes" bazel_ run --ui_event_filters=-info \
  //deploy/checks:include_check -- "$root"
run_check "dependencies" deploy/checks/dependencies.sh
run_check "clang build" deploy/checks/clang_build.sh
run_check "clang-tidy" deploy/checks/clang_tidy.sh
run_check "behaviour rows" deploy/checks/behaviour_rows.sh
run_check "READMEs" deploy/checks/readmes.sh
run_check "mpirun" deploy/checks/mpirun.sh
run_check "Slurm" deploy/checks/slurm.sh
config=()
run_tests "bazel test //..." //...
config=(--config=tsan)
mapfile -t tsan_tests < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' \
  deploy/tsan_tests.txt)
run_tests "thread sanitizer" --config=tsan "${tsan_tests[@]}"

if ((failed > 0)); then
  echo "failed:"
  printf '%s\n' "${failures[@]}"
fi
echo "$passed passed, $failed failed"
((failed == 0))
