#!/usr/bin/env bash
# Fails when a package has no README, and when a README or a page of docs/ names a
# file, folder or target that is not there, or links to one. A path stands between
# back-quotes: from the root, below the folder of the README, or, in docs/ and at
# the root, by its last components (`cpu_backend.cc`). foo.cc and a/b are examples;
# `*` and `<name>` stand for a part of a name. A path without its ending is a test
# or a binary. CHANGELOG.md is history.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export LC_ALL=C
documents=('*.md' ':!CHANGELOG.md')

# Folders of deploy/bazel/ are what Bazel's own tools ask for.
packages() {
  git ls-files -co --exclude-standard '*/BUILD.bazel' ':!deploy/bazel/*/**'
}

# shellcheck disable=SC2016  # the text is awk's
{
  echo files
  git ls-files -co --exclude-standard
  echo packages
  packages
  echo spans
  git grep --untracked -noE '`[^` ]+`' -- "${documents[@]}" || true
  echo links
  git grep --untracked -noE '\]\([^) ]+\)' -- "${documents[@]}" || true
} | awk '
  function fail(place, text) { print place ": " text; bad = 1 }

  function folder(path) {
    return match(path, /.*\//) ? substr(path, 1, RLENGTH - 1) : ""
  }

  # Keeps a path and the folders it lies in, each with all its endings.
  function keep(path,    ending) {
    for (; path != "" && !(path in there); path = folder(path)) {
      there[path] = 1
      for (ending = path; sub(/^[^\/]*\//, "", ending);) endings[ending] = 1
    }
  }

  function absolute(path, from) {
    while (sub(/^\.\.\//, "", path)) from = folder(from)
    return from == "" ? path : from "/" path
  }

  # Whether one of `set` is `pattern`, after what matches `before`.
  function matches(before, pattern, set,    path) {
    gsub(/[.+]/, "\\\\&", pattern)
    gsub(/\*/, "[^/]*", pattern)
    gsub(/<[a-z]+>/, "[^/]+", pattern)
    for (path in set)
      if (path ~ ("^" before pattern "$")) return 1
    return 0
  }

  function is_there(path) {
    if (path ~ /[*<]/) return matches("", path, there)
    return path in there || (path ".cc") in there || (path ".sh") in there
  }

  function names_path(word) {
    if (word ~ /^[a-z]+:\/\/|^[~\/$-]|[^A-Za-z0-9_.\/*<>-]/) return 0
    if (word ~ /^(foo|foo_test)\./ || word ~ /^bazel-/) return 0
    return word ~ /^\.\.\// || substr(word, 1, index(word "/", "/") - 1) in top ||
           word ~ /\.(h|cc|sh|bzl|proto|md|mlir|py|bazel|yaml|sbatch)$/
  }

  function check_path(place, document, word,    from, path) {
    from = folder(document)
    path = word
    sub(/\/$/, "", path)
    if (is_there(path) || is_there(absolute(path, from))) return
    if (from == "" || from ~ /^docs/) {
      if (path ~ /[*<]/ ? matches("", path, endings) : path in endings) return
    } else if (matches(from "/(.*/)?", path, there)) {
      return
    }
    fail(place, word " is not there")
  }

  # //package:target; //package is the target of the same name, or the folder.
  function check_label(place, label,    part, build, line, found) {
    split(substr(label, 3), part, ":")
    if (!(part[1] in there)) return fail(place, label " names no package")
    if (part[2] == "") return
    build = part[1] "/BUILD.bazel"
    while ((getline line < build) > 0)
      if (index(line, "\"" part[2] "\"")) found = 1
    close(build)
    if (!found) fail(place, label ": " build " has no such target")
  }

  /^(files|packages|spans|links)$/ { section = $0; next }
  section == "files" {
    keep($0)
    if (index($0, "/")) top[substr($0, 1, index($0, "/") - 1)] = 1
    next
  }
  section == "packages" {
    if (!(folder($0) "/README.md" in there)) fail(folder($0), "has no README.md")
    next
  }
  {
    split($0, part, ":")
    place = part[1] ":" part[2]
    word = substr($0, length(place) + 2)
  }
  section == "spans" {
    word = substr(word, 2, length(word) - 2)
    if (word ~ /^\/\/[a-z]/) check_label(place, word)
    else if (names_path(word)) check_path(place, part[1], word)
  }
  section == "links" {
    word = substr(word, 3, length(word) - 3)
    sub(/#.*/, "", word)
    if (word !~ /^[a-z]+:|^$/ && !(absolute(word, folder(part[1])) in there))
      fail(place, "links to " word ", which is not there")
  }
  END { exit bad }'
