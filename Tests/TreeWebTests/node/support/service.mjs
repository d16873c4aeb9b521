import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../../../.build/debug/tree-server", import.meta.url));
export const program = process.env.TREE_SERVER ?? built;
/** The reason why tests with a real service are skipped, if they are. */
export const skip = existsSync(program) ? false : `${program} is not built`;

/** Starts the service on a folder of its own, which is kept over `kill` and `start`. */
export class Service {
  folder = mkdtempSync(join(tmpdir(), "tree-web-"));
  port = 0;

  constructor(...flags) {
    this.flags = flags;
  }

  async start() {
    this.process = spawn(program, ["--data", this.folder, "--port", String(this.port),
      ...this.flags], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    const address = await new Promise((resolve, reject) => {
      const hear = (text) => {
        said += text;
        const match = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (match) resolve(Number(match[1]));
      };
      this.process.stdout.on("data", hear);
      this.process.stderr.on("data", hear);
      this.process.on("exit", (code) => reject(new Error(`The service ended (${code}): ${said}`)));
    });
    this.port = address;
    this.url = `http://127.0.0.1:${address}`;
    return this;
  }

  async kill(signal = "SIGKILL") {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill(signal);
    await ended;
  }

  async remove() {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A TCP proxy that cuts its connections, or lets them hang, when it is told to. */
export class Proxy {
  #sockets = new Set();
  refuses = false;
  /** The bytes that clients got. */
  received = 0;

  constructor(port) {
    this.server = createServer((client) => {
      if (this.refuses) return client.destroy();
      const server = connect(port, "127.0.0.1");
      const pair = [client, server];
      server.on("data", ({ length }) => (this.received += length));
      for (const [one, other] of [pair, [server, client]]) {
        this.#sockets.add(one);
        one.on("data", (bytes) => other.write(bytes));
        one.on("end", () => other.end());
        one.on("error", () => other.destroy());
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  async start() {
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  remove() {
    this.refuses = true;
    this.server.close();
    this.cut();
  }
}

/** Waits until something is so; fails with what it was waiting for after two minutes. */
export async function until(what, check) {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const value = await check();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`This did not happen within two minutes: ${what}`);
}
