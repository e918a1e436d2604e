# The page of a chapter, after citeproc: order of what is cited, names of
# tables, formulas, commands, headings.
cat >"$WORK/04-sample.md" <<'EOF'
---
title: A sample
slug: sample
---

## Zeroes and `ones`

First [@ruetsch2009; @amdahl1967], then [@garcia2018, 4.1 and 4.2]. Run `a command -x --long-option=value`
and `short -x`. Flat: $f(x)$. Tall: $\left(\frac{1}{2}\right)$.

::: {#tbl:one}
| Left | Right [@garcia2018] |
|------|-------:|
| $x$  |      2 |

: Words [@ruetsch2009; @garcia2018] of a table, $n(x)$.
:::
EOF
: >"$WORK/outline.tsv"
PAGES=$FILTERS/../pages
page() {   # page FILE
  "$PANDOC" -f markdown -t html5 --mathml --wrap=preserve \
    -L "$PAGES/chapter.lua" --citeproc -L "$PAGES/page.lua" \
    --bibliography "$FILTERS/../bibliography.json" \
    --csl "$FILTERS/../citations.csl" -M link-citations=true \
    -M book-bibliography="$FILTERS/../bibliography.json" \
    -M book-outline="$WORK/outline.tsv" -M book-root="$FIXTURE" \
    -M book-build="$FIXTURE/built" -M book-labels="$WORK/outline.tsv" "$1"
}
# Of formulas, no <mrow>: pandoc 3 writes fewer of them.
page "$WORK/04-sample.md" | sed 's/<[/]\{0,1\}mrow>//g'

# TeX that texmath cannot read stops the build at the chapter's line.
printf -- '---\ntitle: A sample\nslug: sample\n---\n\nText $\\frac{1$.\n' \
  >"$WORK/05-sample.md"
page "$WORK/05-sample.md" 2>&1 | grep -A 1 'error:'
