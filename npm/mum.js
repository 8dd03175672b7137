#!/usr/bin/env node
// Runs the program that the optional package for this system brought. Agents are
// connected with that program itself, so no hook starts Node.js.
"use strict";

const { spawnSync } = require("child_process");
const os = require("os");

const name = `@keepmum/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "mum.exe" : "mum";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(`mum: error: the package ${name}, which contains the program for this system, is not installed`);
  const { version } = require("../package.json");
  const both = `./keepmum-${version}.tgz ./keepmum-${process.platform}-${process.arch}-${version}.tgz`;
  console.error(`mum: hint: npm install --global --offline ${both}`);
  process.exit(1);
}

// An interrupt reaches the program too; it decides when to end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
const ended = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`mum: error: ${program} does not run: ${ended.error.message}`);
  process.exit(1);
}
process.exit(ended.signal ? 128 + os.constants.signals[ended.signal] : ended.status);
