// The moment that is shown, in the page's address.

export function show_address(view) {
  clearTimeout(view.address_timer);
  view.address_timer = setTimeout(() => {
    const parts = [`step=${view.name}`];
    for (const key in view.wanted)
      if (view.wanted[key] !== view.book.knobs[key])
        parts.push(`${key}=${view.wanted[key]}`);
    if (view.follow.block) parts.push("in=" + view.follow.block);
    if (view.follow.warp) parts.push("warp=" + view.follow.warp);
    parts.push("at=" + (view.at + 1));
    try {
      history.replaceState(null, "", "#" + parts.join("&"));
    } catch { /* Too often. */ }
  }, 250);
}
