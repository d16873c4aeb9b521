import assert from "node:assert/strict";
import test from "node:test";
import { treeRowsHook } from "../../../Sources/TreeWeb/client/react.js";
import { FakeService, fakeClock, turn } from "./support/fakes.mjs";

/** A component with one hook, drawn anew when the hook's store changes, as React does. */
function mount(hook, ...props) {
  let effects, known = [], drawn, leave;
  const component = { draw };
  const use = hook({
    useSyncExternalStore(subscribe, snapshot) {
      leave ??= subscribe(() => queueMicrotask(draw));
      return snapshot();
    },
    useEffect: (effect, values) => effects.push({ effect, values }),
  });
  function draw(...next) {
    if (next.length > 0) props = next;
    effects = [];
    component.shown = drawn = use(...props);
    for (const [i, { effect, values }] of effects.entries()) {
      if (known[i]?.every((value, j) => Object.is(value, values[j]))) continue;
      known[i] = values;
      effect();
    }
    return drawn;
  }
  draw();
  return component;
}

test("a component shows the rows at its indexes, also after others insert above them", async (t) => {
  fakeClock(t);
  const service = new FakeService(50);
  service.first = 50;
  const view = service.session.view({ pageSize: 10, overscan: 0 });
  t.after(() => view.close());
  const component = mount(treeRowsHook, view, 20, 24);
  const keys = () => component.shown.rows.map((row) => row?.key);
  await turn();
  assert.deepEqual(keys(), ["k20", "k21", "k22", "k23", "k24"]);
  service.insert(0, ...Array.from({ length: 15 }, (_, i) => `new${i}`));
  service.tell();
  await turn();
  assert.deepEqual(keys(), ["k5", "k6", "k7", "k8", "k9"]);
  assert.deepEqual(view.range, { first: 20, last: 24 });
  component.draw(view, 40, 41);
  await turn();
  assert.deepEqual(keys(), ["k25", "k26"]);
  assert.deepEqual([component.shown.rowCount, component.shown.status], [65, "live"]);
});
