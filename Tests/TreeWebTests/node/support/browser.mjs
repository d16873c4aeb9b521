import { execFileSync, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const has = (program) => {
  try {
    return Boolean(execFileSync(program, ["--version"], { encoding: "utf8", stdio: "pipe" }));
  } catch {
    return false;
  }
};
/** The reason why tests in a browser are skipped, if they are. */
export const noBrowser = has("chromedriver") && has("chromium") ? false
  : "chromium and chromedriver are not installed";

const client = new URL("../../../../Sources/TreeWeb/client/", import.meta.url);
const types = { js: "text/javascript", html: "text/html" };

/** Serves the files of the client, and others that a test adds: a text or a path by its name. */
export async function serveFiles(more = {}) {
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, "http://files").pathname.slice(1);
    const type = types[name.split(".").pop()] ?? "text/plain";
    try {
      const file = more[name]?.path ?? fileURLToPath(new URL(name, client));
      const content = more[name]?.text ?? await readFile(file);
      response.writeHead(200, { "Content-Type": `${type}; charset=utf-8` }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** A page in a browser without a window, driven over WebDriver. */
export class Browser {
  async start() {
    this.driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
    const port = await new Promise((resolve, reject) => {
      let said = "";
      this.driver.stdout.on("data", (text) => {
        const match = /successfully on port (\d+)/.exec((said += text));
        if (match) resolve(match[1]);
      });
      this.driver.on("exit", () => reject(new Error(`chromedriver ended: ${said}`)));
    });
    this.base = `http://127.0.0.1:${port}/session`;
    const { sessionId } = await this.ask("POST", "", { capabilities: { alwaysMatch: {
      browserName: "chrome", "goog:loggingPrefs": { browser: "ALL" },
      "goog:chromeOptions": { args: ["--headless=new", "--no-sandbox", "--disable-gpu",
        "--window-size=1000,700"] } } } });
    this.base += `/${sessionId}`;
    return this;
  }

  /** Sends a command of WebDriver. */
  async ask(method, path, body) {
    const response = await fetch(this.base + path, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  go(url) { return this.ask("POST", "/url", { url }); }

  /** Runs the body of an async function in the page. */
  async run(body) {
    const script = `const done = arguments[0];
      (async () => { ${body} })().then((value) => done({ value }), (e) => done({ failed: String(e.stack) }));`;
    const { value, failed } = await this.ask("POST", "/execute/async", { script, args: [] });
    if (failed) throw new Error(failed);
    return value;
  }

  /** Sends a command of the protocol of DevTools. */
  cdp(cmd, params = {}) { return this.ask("POST", "/goog/cdp/execute", { cmd, params }); }

  /** Presses keys, one after the other; some while others are held. */
  keys(pressed, held = []) {
    const down = (value) => ({ type: "keyDown", value }), up = (value) => ({ type: "keyUp", value });
    const actions = [...held.map(down), ...pressed.flatMap((value) => [down(value), up(value)]),
      ...held.map(up)];
    return this.ask("POST", "/actions", { actions: [{ type: "key", id: "keys", actions }] });
  }

  /** Moves the mouse: to a point, "down", "up" or a pause in milliseconds, one after the other. */
  pointer(...steps) { return this.#point("mouse", steps); }

  /** Moves a finger as `pointer` moves the mouse. One that is left down is lifted by `release`. */
  finger(...steps) { return this.#point("touch", steps); }

  /** Lifts what is down. */
  release() { return this.ask("DELETE", "/actions"); }

  #point(pointerType, steps) {
    const actions = steps.map((step) => Array.isArray(step)
      ? { type: "pointerMove", duration: 50, x: Math.round(step[0]), y: Math.round(step[1]) }
      : typeof step === "number" ? { type: "pause", duration: step }
      : { type: step === "down" ? "pointerDown" : "pointerUp", button: 0 });
    return this.ask("POST", "/actions", { actions: [{ type: "pointer", id: pointerType,
      parameters: { pointerType }, actions }] });
  }

  /** The role and the name that assistive technologies get of an element. */
  async computed(selector) {
    const found = await this.ask("POST", "/element", { using: "css selector", value: selector });
    const [id] = Object.values(found);
    return { role: await this.ask("GET", `/element/${id}/computedrole`),
      name: await this.ask("GET", `/element/${id}/computedlabel`) };
  }

  /** The errors in the console, except for the icon that nobody serves. */
  async complaints() {
    const entries = await this.ask("POST", "/se/log", { type: "browser" });
    return entries.filter(({ level, message }) => level === "SEVERE" && !/favicon/.test(message))
      .map(({ message }) => message);
  }

  /** Forgets what the console said, such as the failed requests that a test means. */
  async forgive() { await this.complaints(); }

  async stop() {
    if (this.base) await this.ask("DELETE", "").catch(() => {});
    this.driver?.kill();
  }
}
