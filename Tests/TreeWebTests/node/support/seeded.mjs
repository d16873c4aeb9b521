/** Random numbers from a seed (mulberry32). `SEED=17` runs a law again as it was. */
export function seeded(t, seed = Number(process.env.SEED) || (Math.random() * 2 ** 32) >>> 0) {
  t?.diagnostic(`SEED=${seed}`);
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(next() * count);
  return { seed, next, below, chance: (p) => next() < p, pick: (list) => list[below(list.length)] };
}
