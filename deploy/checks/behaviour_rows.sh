#!/usr/bin/env bash
# Fails when a tracked file cites a row, such as K-4, that docs/behaviour does not
# define, or rows as a range, where nobody finds those between; and when a row of
# docs/behaviour is not well defined: once in a table of rows, with a text, and,
# where it is implemented, with tests that exist. Each of its tests cites it.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export LC_ALL=C  # A-Z are capitals
rows=docs/behaviour
citing=('*.cc' '*.h' '*.proto' '*.mlir' '*.md' '*_test.sh')

# FILE:LINE:ID of every citation. H-1 and N-1 are counts; _K10 ends the name of a
# test.
citations() {
  git grep -noIE '\b[A-GI-MO-Z]-[0-9]{1,2}\b' -- "${citing[@]}" || true
  git grep -noIE '_[A-GI-MO-Z][0-9]{1,2}\)' -- '*_test.cc' |
    sed -E 's/_([A-Z])([0-9]+)\)$/\1-\2/' || true
}

# FILE:LINE:RANGE, but for the table of topics.
ranges() {
  git grep -noIE '\b[A-GI-MO-Z]-[0-9]{1,2},? *(\.\.|to)( [A-GI-MO-Z]-[0-9]|$)' \
    -- "${citing[@]}" ":!$rows/README.md" || true
}

# FILE:LINE:TEXT of the tables of rows and of the beginnings of texts.
definitions() {
  grep -nHE '^(\| [A-Z]-[0-9]+ \||\*\*[A-Z]-[0-9]+\*\*)' "$rows"/*.md
}

# shellcheck disable=SC2016  # the text is awk's
{
  definitions
  echo ranges
  ranges
  echo citations
  citations
} | awk -v rows="$rows" '
  function fail(place, text) { print place ": " text; bad = 1 }

  # | id | about | status | `test`, `test` |
  function row(place, id, status, tests,    count, names, i, file) {
    if (id in defined) fail(place, id " has a row already: " defined[id])
    defined[id] = place
    if (status !~ /^(implemented|partly|not yet)$/)
      fail(place, id " has the status \"" status "\"; expected implemented, " \
           "partly or not yet")
    count = split(tests, names, "`")
    for (i = 2; i <= count; i += 2) {
      file = names[i]
      shown[id, file] = place
      if (file !~ /_test\.(cc|sh)$|^tests\//)
        fail(place, id " names " file ", which is no test")
      else if ((getline line < file) < 0)
        fail(place, id " names the test " file ", which does not exist")
      close(file)
    }
    if (status == "implemented" && count < 3)
      fail(place, id " is implemented, but names no test")
    if (status == "not yet" && count > 1)
      fail(place, id " is not yet there, but names a test")
  }

  /^(ranges|citations)$/ { section = $0; next }
  {
    split($0, part, ":")
    place = part[1] ":" part[2]
    rest = substr($0, length(place) + 2)
  }
  section == "ranges" {
    fail(place, "\"" rest "\": rows are cited one by one")
    next
  }
  section == "citations" {
    if (!(rest in defined)) fail(place, rest " has no row in " rows)
    cited[rest, part[1]] = 1
    next
  }
  rest ~ /^\*\*/ { text[substr(rest, 3, index(substr(rest, 3), "*") - 1)] = 1 }
  # Tables of errors also begin with ids; they have other numbers of columns.
  rest ~ /^\|/ && split(rest, cell, / *\| */) == 6 {
    row(place, cell[2], cell[4], cell[5])
  }
  END {
    for (pair in shown)
      if (!(pair in cited)) {
        split(pair, part, SUBSEP)
        fail(shown[pair], part[1] " is not named by its test " part[2])
      }
    for (id in defined)
      if (!(id in text)) fail(defined[id], id " has no text: **" id "** ...")
    for (id in text)
      if (!(id in defined)) fail(rows, id " has a text, but no row in a table")
    exit bad
  }'
