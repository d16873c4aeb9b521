// The client of the page, and trees that are opened.
//
// The tree that the address names is opened before the page is shown, to have its rows sooner.

import { TreeClient } from "../client/tree-client.js";
import { Surroundings } from "./surroundings.js";

export const url = new URL("..", location.href).href.replace(/\/$/, "");

/** The key that the user entered, stored nowhere else, and a function called for each request. */
export const requests = { key: undefined, sent() {} };

export const client = new TreeClient({ url, credential: () => requests.key,
  async fetch(address, init) {
    const response = await fetch(address, init);
    requests.sent(address, init);
    return response;
  } });

/** Returns the tree and the key that the address names; null for a missing one. */
export function named() {
  const named = new URLSearchParams(location.hash.slice(1));
  return { tree: named.get("tree"), key: named.get("key") };
}

/**
 * Creates a session, in the state of an earlier one if there is one, and begins to read its rows.
 * Returns `{ session, surroundings, view }`.
 */
export async function open(tree, state) {
  const begun = early?.tree === tree && !state ? early.opening : undefined;
  early = undefined;
  return begun ?? opened(tree, state);
}

async function opened(tree, state = { expansion: "none", idleTimeoutSeconds: 3600 }) {
  const session = await makeSession({ tree, state }), surroundings = new Surroundings(session);
  surroundings.told = ({ nodeCount }) => (session.description.nodeCount = nodeCount);
  return { session, surroundings, view: session.view() };
}

/** Creates a session. If the key allows reading only, the session cannot change data. */
async function makeSession(options) {
  try {
    return await client.createSession(options, { attempts: 3 });
  } catch (error) {
    if (error.status !== 403) throw error;
    return client.createSession({ ...options, access: "view" }, { attempts: 3 });
  }
}

const { tree } = named();
let early = tree === null ? undefined : { tree, opening: opened(tree) };
early?.opening.catch(() => {});
