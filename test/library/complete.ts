// `npm run test:library`: the library installed by npm, checked by the compiler, run by Bun and by the oldest Node that is
// promised, which comes from npm too.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { repository } from "../support/codelia.ts";
import { OutsideProject } from "./package.ts";

const version = "22.23.3";

/** A platform package of Node: the binary, no install script. */
function nodePackage(): string {
  const platform = process.platform === "win32" ? "win" : process.platform;
  return `node-${platform}-${process.arch}`;
}

test("the packed library is installed by npm, has types, and runs on Node 22 and on Bun", () => {
  using project = new OutsideProject();
  const npm = (...args: string[]) =>
    project.must(["npm", "install", "--ignore-scripts", "--no-audit", "--silent", ...args], project.path);
  npm(project.pack());
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const types = join(repository, "node_modules/@types");
  const flags =
    "--noEmit --strict --target es2024 --module nodenext --moduleResolution nodenext --types node";
  project.must(["node", compiler, ...flags.split(" "), "--typeRoots", types, "main.ts"], project.path);
  const place = project.tree.at("node");
  npm("--prefix", place, `${nodePackage()}@${version}`);
  const node = join(place, "node_modules", nodePackage(), "bin/node");
  expect([
    project.run([node, "--version"]),
    project.run([node, "main.ts"]),
    project.run([process.execPath, "main.ts"]),
  ]).toEqual([`v${version}\n`, "The sun shines in Oslo.\n", "The sun shines in Oslo.\n"]);
});
