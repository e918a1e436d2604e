# The order of the book: one line a chapter, from each one's front matter,
#   number <tab> slug <tab> part <tab> title <tab> question <tab> file
# for awk -f outline.awk chapters/*.md. The number stands only in the file's
# name; from 91 on it is an appendix's letter. Parts are numbered as they come.
# Of each file only the front matter is read.

function fail(line, what, remedy) {
  printf "chapters/%s:%d: error: %s\n  %s\n", file, line, what, remedy \
    > "/dev/stderr"
  failed = 1
}

# The front matter that a chapter has: `key: value`, and under `goals:` items
# that begin with "  - ". What YAML would read in another way is refused here,
# with its line; pandoc would name neither line nor file.
function check_line(line,    text) {
  sub(/[ \t\r]+$/, "", line)
  if (line == "" || line ~ /^#/)
    return
  if (line ~ /^  +- /) {
    text = line
    sub(/^ +- +/, "", text)
  } else if (line ~ /^[a-z]+:( |$)/) {
    text = line
    sub(/^[a-z]+: */, "", text)
  } else if (line ~ /^ +[^ ]/ && continues) {
    text = ""
  } else {
    fail(line_number, "not a line of a front matter: " line,
      "write `key: value`, or `  - goal` under `goals:`")
    return
  }
  continues = text != ""
  if (text ~ /^".*"$/ || text ~ /^'.*'$/ || text ~ /^\[(".*"(, *)?)*\]$/)
    return
  if (text ~ /^[]["'{}&*!%@`]/ || text ~ /: / || text ~ / #/ || text ~ /:$/)
    fail(line_number, "YAML reads this otherwise than it is meant: " text,
      "put the value in double quotes")
}

function value(text) {
  sub(/^[a-z]+:[ \t]*/, "", text)
  sub(/[ \t\r]+$/, "", text)
  if (text ~ /^".*"$/) {
    text = substr(text, 2, length(text) - 2)
    gsub(/\\"/, "\"", text)
  } else if (text ~ /^'.*'$/) {
    text = substr(text, 2, length(text) - 2)
    gsub(/''/, "'", text)
  }
  gsub(/\t/, " ", text)
  if (text ~ /^[|>]/)
    fail(line_number, "front matter over several lines",
      "write it in one line, in quotes if it holds a colon")
  return text
}

function put(    name, number, i, key) {
  name = file
  sub(/^.*\//, "", name)
  if (name !~ /^[0-9]+-[a-z0-9_]+\.md$/) {
    fail(1, "a chapter's file is named NN-slug.md", "rename it")
    return
  }
  number = name
  sub(/-.*/, "", number)
  number += 0
  if (number > 90) number = substr("ABCDEFGHI", number - 90, 1)
  for (i = 1; i <= 4; i++) {
    key = keys[i]
    if (front[key] == "" && !(key == "question" && number ~ /[A-Z]/))
      fail(1, "the front matter has no '" key "'", "add a line '" key ": …'")
  }
  if (name != sprintf("%s-%s.md", substr(name, 1, 2), front["slug"]))
    fail(1, "slug '" front["slug"] "' differs from the file's name",
         "name the file NN-" front["slug"] ".md")
  if (front["part"] != part && number !~ /[A-Z]/) {
    part = front["part"]
    part_number++
  }
  if (number !~ /[A-Z]/)
    front["part"] = "Part " roman[part_number] ": " front["part"]
  printf "%s\t%s\t%s\t%s\t%s\t%s\n", number, front["slug"], front["part"],
    front["title"], front["question"], file
}

function read_front(    line, key) {
  split("", front)
  line_number = continues = 0
  while ((getline line < file) > 0) {
    line_number++
    if (line_number == 1 && line !~ /^---/) break
    if (line_number > 1 && line ~ /^(---|\.\.\.)[ \t\r]*$/) break
    if (line_number > 1) check_line(line)
    if (line ~ /^(slug|part|title|question):/) {
      key = line
      sub(/:.*/, "", key)
      front[key] = value(line)
    }
  }
  close(file)
}

BEGIN {
  split("slug part title question", keys, " ")
  split("I II III IV V VI VII VIII IX X", roman, " ")
  for (argument = 1; argument < ARGC; argument++) {
    file = ARGV[argument]
    read_front()
    put()
  }
  exit failed
}
