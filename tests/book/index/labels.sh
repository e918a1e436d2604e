# The label file of a chapter.
cat > "$WORK/04-sample.md" <<'EOF'
---
title: A *sample*
---

## One {#sec:one}

::: {.listing #lst:add source="code/sample/sample.cu" tag="add"}
Caption.
:::

![Caption.](figures/sample/plot.gp){#fig:plot alt="not looked at here"}

::: {.exercise #exr:a}
::: {.solution}
::: {.listing #lst:inner source="code/sample/sample.cu" tag="index"}
Caption.
:::
:::
:::

$$ a $$ {#eq:a}

[warp]{#term:warp}
:   A word.
EOF
"$PANDOC" -f markdown -t plain -L "$FILTERS/list_labels.lua" \
  -M book-root="$FIXTURE" "$WORK/04-sample.md"
