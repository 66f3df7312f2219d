import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const lock = JSON.parse(read("package-lock.json"));
const packages = Object.entries(lock.packages).filter(([name]) => name !== "");

test("every package of the lock is checked by its hash", () => {
  assert.ok(packages.length > 20);
  for (const [name, { integrity }] of packages) assert.match(integrity, /^sha512-/, name);
});

test("the lock names no host, so that any registry serves", () => {
  assert.doesNotMatch(read("package-lock.json"), /:\/\/|"resolved"/);
});

test("the tools are those of the lock, each of one version", () => {
  for (const [name, version] of Object.entries(JSON.parse(read("package.json")).devDependencies)) assert.equal(lock.packages[`node_modules/${name}`].version, version);
});
