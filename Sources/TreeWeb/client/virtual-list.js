// A list of millions of rows in an element that scrolls; documented in virtual-list.d.ts.

// Browsers misplace or cap elements that are higher than this; see `scale`.
const HIGHEST = 6_000_000, EXACT = 100_000;

export function virtualList(scroller, view, options) {
  const { rowHeight = 24, draw, pinned = () => {}, rendered = () => {} } = options;
  const spacer = document.createElement("div"), pane = document.createElement("div");
  // The pane stays in sight, so that rows have small offsets, however far the list is scrolled.
  spacer.style.cssText = "position: relative; overflow: clip";
  pane.style.cssText = "position: sticky; top: 0; overflow: hidden; contain: strict";
  spacer.append(pane);
  scroller.append(spacer);
  Object.assign(scroller.style, { overflowY: "auto", overflowAnchor: "none" });

  let seen = 0, ahead = 0, leapt = 0, height = scroller.clientHeight, frame, timer, asking;
  let elements = new Map(); // by key, or by index while the key is unknown
  const list = { top: 0, first: 0, last: -1 };
  const whole = () => Math.max(view.rowCount * rowHeight, height);
  const most = () => whole() - height, room = () => Math.min(whole(), HIGHEST) - height;
  const inside = (place) => Math.max(0, Math.min(place, most()));

  // Near both ends, the list scrolls by pixels. Between, the thumb's place is a share of the rows.
  const scale = (place, from, to) => {
    if (most() <= room() || place < EXACT) return Math.min(place, to);
    if (from - place < EXACT) return to - (from - place);
    return EXACT + ((place - EXACT) * (to - 2 * EXACT)) / (from - 2 * EXACT);
  };

  // Sets the heights and the thumb to the current place. The visible rows do not change.
  const settle = () => {
    list.top = inside(list.top);
    spacer.style.height = `${Math.min(whole(), HIGHEST)}px`;
    pane.style.height = `${height}px`;
    scroller.scrollTop = scale(list.top, most(), room());
    seen = scroller.scrollTop; // the position that was acted on last
  };

  // Asks for the visible rows, and as many ahead. While the thumb is dragged, only where it rests.
  const ask = () => {
    clearTimeout(asking);
    const { first, last } = list, { range } = view, now = performance.now();
    if (range.first <= first && range.last >= last && ahead === 0) return;
    const leaps = first > range.last + 200 || last < range.first - 200;
    if (leaps && now - leapt < 30) return void ([leapt, asking] = [now, setTimeout(ask, 40)]);
    if (leaps) leapt = now;
    view.setRange(first + Math.min(0, ahead), Math.max(first, last + Math.max(0, ahead)));
  };
  const render = () => {
    const top = (list.top = inside(list.top)), first = (list.first = Math.floor(top / rowHeight));
    list.last = Math.min(view.rowCount - 1, Math.floor((top + height - 1) / rowHeight));
    view.anchor = (first > 0 && view.row(first)?.key) || null;
    ask();
    const next = new Map(), lacking = [], pin = pinned();
    for (let index = first; index <= list.last; index++) {
      const row = view.row(index), id = row?.key ?? index, old = elements.has(id) ? id : index;
      if (elements.has(old)) next.set(id, elements.get(old));
      else next.set(id, undefined), lacking.push(id);
      elements.delete(old);
    }
    if (elements.has(pin)) next.set(pin, elements.get(pin)), elements.delete(pin);
    const free = [...elements.values()];
    elements = next;
    for (const id of lacking) {
      const element = free.pop() ?? document.createElement("div");
      element.style.cssText = `position: absolute; inset: 0 0 auto; height: ${rowHeight}px`;
      next.set(id, element);
      pane.append(element);
    }
    for (const element of free) element.remove();
    // Elements are put in the order of the rows. Those that stay are not moved, to keep the focus.
    let place = pane.firstChild, index = first;
    for (const [id, element] of elements) {
      if (id === pin || element === place) place = element.nextSibling;
      else pane.insertBefore(element, place);
      const beyond = index > list.last, at = beyond ? view.indexOf(id) : index++;
      const row = view.row(at);
      element.style.transform = `translateY(${beyond ? -rowHeight : at * rowHeight - top}px)`;
      if ((beyond && !row) || (element.row === row && element.index === at)) continue;
      draw(element, row, at);
      Object.assign(element, { row, index: at });
    }
    rendered(list);
  };

  const scrolled = () => {
    const now = scroller.scrollTop, by = now - seen, small = Math.abs(by) < 2 * height;
    if (!by) return;
    // A wheel or a finger moves by pixels; the thumb leaps.
    list.top = small && now > 0 && now < room() ? list.top + by : scale(now, room(), most());
    [seen, ahead] = [now, small ? Math.sign(by) * Math.ceil(height / rowHeight) : 0];
    render();
    clearTimeout(timer);
    timer = setTimeout(() => (ahead = 0, settle()), 150);
  };
  const changed = ({ shift }) => {
    list.top += shift * rowHeight;
    if (spacer.offsetHeight !== Math.min(whole(), HIGHEST) || shift !== 0) settle();
    frame ??= requestAnimationFrame(() => (frame = undefined, render()));
  };
  const listening = new AbortController(), leave = view.subscribe(changed);
  const resized = new ResizeObserver(() => (height = scroller.clientHeight, settle(), render()));
  resized.observe(scroller);
  scroller.addEventListener("scroll", scrolled, { signal: listening.signal });
  return Object.assign(list, {
    render,
    elementOf: (key) => elements.get(key),
    scrollTo: (index) => (list.top = index * rowHeight, settle(), render()),
    indexAt: (y) => Math.floor((y - scroller.getBoundingClientRect().top + list.top) / rowHeight),
    close: () => (leave(), resized.disconnect(), listening.abort(), spacer.remove()),
  });
}
