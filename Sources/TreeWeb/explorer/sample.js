// A catalogue with made-up products.

const DEPARTMENTS = ["Audio", "Bicycles", "Books", "Cameras", "Computers", "Furniture", "Garden",
  "Gaming", "Groceries", "Kitchen", "Lighting", "Music", "Office", "Outdoor", "Pets", "Phones",
  "Shoes", "Sports", "Tools", "Toys"];
const KINDS = ["Accessories", "Adapters", "Basics", "Bundles", "Cases", "Classics", "Covers",
  "Essentials", "Gifts", "Kits", "New arrivals", "Offers", "Parts", "Refurbished", "Sets",
  "Spares", "Storage", "Supplies", "Travel", "Vintage"];
const ADJECTIVES = ["Amber", "Basic", "Bold", "Bright", "Classic", "Compact", "Copper", "Dark",
  "Deluxe", "Fine", "Folding", "Granite", "Heavy", "Indigo", "Ivory", "Light", "Maple", "Mini",
  "Modern", "Navy", "Nordic", "Olive", "Pocket", "Prime", "Quiet", "Rapid", "Royal", "Silver",
  "Slim", "Solid", "Tidal", "Urban"];
const NOUNS = ["Anchor", "Arc", "Beacon", "Bridge", "Canyon", "Cedar", "Comet", "Delta", "Ember",
  "Falcon", "Fjord", "Forge", "Grove", "Harbor", "Heron", "Island", "Juniper", "Lantern",
  "Meadow", "Nova", "Orbit", "Otter", "Pine", "Prairie", "Quartz", "Ridge", "River", "Summit",
  "Tundra", "Valley", "Willow", "Zephyr"];
const STATES = ["active", "active", "active", "draft", "archived"];
const PIECE_LINES = 20_000;

/** Gives a catalogue of `size` nodes as lines of an import, in pieces: `{ lines, nodes }`. */
export function* sampleLines(size) {
  const shelves = Math.max(1, Math.min(KINDS.length, Math.floor(size / 200)));
  let lines = [], made = 0, random = 1;
  const next = (below) => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((random / 2 ** 32) * below);
  };
  const add = (node) => {
    lines.push(JSON.stringify(node));
    made += 1;
  };
  const departments = Math.min(DEPARTMENTS.length, Math.max(1, Math.floor(size / 50)));
  const inShelf = Math.ceil((size - departments) / departments / shelves) - 1;
  for (let d = 0; d < departments; d++) {
    const department = `d${d}`;
    if (made < size) add({ key: department, object: { name: DEPARTMENTS[d] } });
    for (let s = 0; s < shelves; s++) {
      const shelf = `${department}-${s}`;
      if (made < size) add({ key: shelf, parent: department, object: { name: KINDS[s] } });
      for (let p = 0; p < inShelf && made < size; p++) {
        const name = `${ADJECTIVES[next(32)]} ${NOUNS[next(32)]} ${p + 1}`;
        const price = (next(20_000) + 100) / 100, stock = next(500), state = STATES[next(5)];
        add({ key: `${shelf}-${p}`, parent: shelf, object: { name, price, stock, state } });
        if (lines.length < PIECE_LINES) continue;
        yield { lines: lines.join("\n"), nodes: lines.length };
        lines = [];
      }
    }
  }
  // The rest from rounding.
  for (let p = 0; made < size; p++) {
    add({ key: `x${p}`, parent: "d0", object: { name: `Extra ${p + 1}` } });
  }
  if (lines.length > 0) yield { lines: lines.join("\n"), nodes: lines.length };
}
