// A list of millions of rows in an element that scrolls.

// Browsers misplace or cap what is higher than this; see `toScroll`.
const HIGHEST = 6_000_000;
const EXACT = 100_000;

/**
 * Shows the rows of a view in `scroller`, an element with a height of its own. `draw(element, row,
 * index)` fills an element that is used again and again; `row` is undefined while it is being read.
 *
 * Gives `{ scrollTo(index), indexAt(clientY), close() }`. Only what is seen has elements.
 */
export function virtualList(scroller, view, { rowHeight = 24, draw }) {
  const spacer = document.createElement("div"), pane = document.createElement("div");
  // The pane stays where it is seen, so that rows have small offsets, however far it is scrolled.
  spacer.style.cssText = "position: relative; overflow: clip";
  pane.style.cssText = "position: sticky; top: 0; overflow: hidden; contain: strict";
  spacer.append(pane);
  scroller.append(spacer);
  scroller.style.overflowY = "auto";
  scroller.style.overflowAnchor = "none";

  let top = 0; // pixels above what is seen, if the list were as high as it should be
  let seen = 0; // the scroll position that was acted on last
  let elements = [], frame, timer;
  const height = () => scroller.clientHeight;
  const whole = () => Math.max(view.rowCount * rowHeight, height());
  const most = () => whole() - height();
  const room = () => Math.min(whole(), HIGHEST) - height();

  // Near both ends a pixel is a pixel; between them the thumb stands for its share of the rows.
  const toScroll = (place) => {
    if (most() <= room() || place < EXACT) return Math.min(place, room());
    if (most() - place < EXACT) return room() - (most() - place);
    return EXACT + ((place - EXACT) * (room() - 2 * EXACT)) / (most() - 2 * EXACT);
  };
  const fromScroll = (place) => {
    if (most() <= room() || place < EXACT) return place;
    if (room() - place < EXACT) return most() - (room() - place);
    return EXACT + ((place - EXACT) * (most() - 2 * EXACT)) / (room() - 2 * EXACT);
  };

  // Puts the thumb where it belongs. What is seen does not change.
  const settle = () => {
    spacer.style.height = `${Math.min(whole(), HIGHEST)}px`;
    pane.style.height = `${height()}px`;
    scroller.scrollTop = toScroll(top);
    seen = scroller.scrollTop;
  };

  const render = () => {
    frame = undefined;
    top = Math.max(0, Math.min(top, most()));
    const first = Math.floor(top / rowHeight);
    const last = Math.min(view.rowCount - 1, Math.floor((top + height() - 1) / rowHeight));
    const { range } = view;
    if (range.first !== first || range.last !== last) view.setRange(first, Math.max(first, last));
    const count = Math.ceil(height() / rowHeight) + 1;
    while (elements.length > count) elements.pop().remove();
    while (elements.length < count) {
      const element = document.createElement("div");
      element.style.cssText = `position: absolute; inset: 0 0 auto; height: ${rowHeight}px`;
      elements.push(element);
      pane.append(element);
    }
    for (let index = first; index < first + count; index++) {
      const element = elements[index % count], row = view.row(index);
      element.hidden = index > last;
      element.style.transform = `translateY(${index * rowHeight - top}px)`;
      if (element.hidden || (element.drawn === (row ?? index) && row)) continue;
      element.drawn = row ?? index;
      draw(element, row, index);
    }
  };
  const renderSoon = () => (frame ??= requestAnimationFrame(render));

  const scrolled = () => {
    const now = scroller.scrollTop, by = now - seen;
    if (by === 0) return;
    // A wheel or a finger moves by pixels; the thumb leaps.
    top = Math.abs(by) < 2 * height() && now > 0 && now < room() ? top + by : fromScroll(now);
    seen = now;
    render();
    clearTimeout(timer);
    timer = setTimeout(settle, 150);
  };
  const changed = ({ shift }) => {
    top += shift * rowHeight;
    if (spacer.offsetHeight !== Math.min(whole(), HIGHEST) || shift !== 0) settle();
    renderSoon();
  };
  const resized = new ResizeObserver(() => (settle(), render()));
  resized.observe(scroller);
  scroller.addEventListener("scroll", scrolled);
  const leave = view.subscribe(changed);
  settle();
  render();
  return {
    scrollTo(index) {
      top = Math.max(0, Math.min(index * rowHeight, most()));
      settle();
      render();
    },
    indexAt: (y) => Math.floor((y - scroller.getBoundingClientRect().top + top) / rowHeight),
    close() {
      leave();
      resized.disconnect();
      scroller.removeEventListener("scroll", scrolled);
      spacer.remove();
    },
  };
}
