import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { promisify } from "node:util";
import { Service, skip } from "./support/service.mjs";

const root = new URL("../../../", import.meta.url);

test("the program of the README shows what happens to a tree", { skip }, async () => {
  const service = await new Service("--storage", "memory").start();
  try {
    const readme = readFileSync(new URL("README.md", root), "utf8");
    const [, program] = /## JavaScript client\n.*?```js\n(.*?)```/s.exec(readme);
    assert.ok(program.split("\n").length <= 26);
    const client = new URL("Sources/TreeWeb/client/tree-client.js", root).href;
    const { stdout } = await promisify(execFile)("node", ["--input-type=module", "-e", program
      .replace("http://127.0.0.1:8080/client/tree-client.js", client)
      .replace("http://127.0.0.1:8080", service.url)]);
    assert.match(stdout, /fruit\n {2}fig\n {2}apple\n {2}pear\nstone\n/);
    assert.match(stdout, /fruit\nstone\n$/);
  } finally {
    await service.remove();
  }
});
