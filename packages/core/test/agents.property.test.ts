// The resolver against an oracle that was written from the specification alone, on random trees on disk.
// CODELIA_PROPERTY_RUNS sets how many trees each property sees.

import { expect, test } from "bun:test";
import { realpathSync, statSync, utimesSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import {
  AgentsError,
  type AgentsResolver,
  createAgentsResolver,
  findAgentsRoot,
  foldAgentsRecords,
  type InitialAgents,
  loadInitialAgents,
  type PathResolution,
} from "@codelia/core";
import type { AgentsRoot, FileSystem } from "@codelia/shared-types";
import fc from "fast-check";
import { type Call, systemError, watchedFileSystem } from "../../../test/support/watched-file-system.ts";
import {
  candidateNamesOf,
  chainOf,
  type ExpectedSkip,
  expectedInitial,
  expectedRoot,
  type Situation,
  upwards,
} from "./agents-oracle.ts";
import { type ExpectedNews, OracleLedger, scopeOf } from "./agents-oracle-ledger.ts";
import { back, type Tree, withTree } from "./built-tree.ts";
import { notableTrees } from "./notable-trees.ts";
import { type TargetSpec, type TreeSpec, treeSpecs } from "./random-tree.ts";

const numRuns = Number(process.env.CODELIA_PROPERTY_RUNS ?? 60);
/** Many runs take longer than a test usually may. */
const timeout = 120_000 + numRuns * 100;

interface Scene extends Tree {
  readonly spec: TreeSpec;
  readonly situation: Situation;
  readonly root: AgentsRoot;
  readonly port: FileSystem;
  /** What the port was asked since the search for the root began. */
  readonly calls: readonly Call[];
}

function property(sentence: string, holds: (scene: Scene) => Promise<void>): void {
  const each = fc.asyncProperty(treeSpecs, (spec) =>
    withTree(spec, async (tree) => {
      const { fs: port, calls } = watchedFileSystem();
      const { cwd, userHome, codeliaHome, settings } = tree;
      const root = await findAgentsRoot({ fs: port, cwd, settings: settings.root, userHome, codeliaHome });
      const isTrusted = (path: string) => (path === root.path ? spec.projectTrusted : spec.othersTrusted);
      const situation: Situation = { cwd, userHome, codeliaHome, settings, isTrusted };
      await holds({ ...tree, spec, situation, root, port, calls });
    }),
  );
  test(sentence, () => fc.assert(each, { numRuns, examples: notableTrees }), timeout);
}

function load({ cwd, root, settings, codeliaHome, spec }: Scene, fs: FileSystem): Promise<InitialAgents> {
  return loadInitialAgents({ fs, cwd, root, settings, codeliaHome, trusted: spec.projectTrusted });
}

function resolverFor({ port, situation }: Scene, initial: InitialAgents): AgentsResolver {
  const { settings, userHome, codeliaHome, isTrusted } = situation;
  const state = foldAgentsRecords([initial.record]);
  return createAgentsResolver({
    fs: port,
    settings,
    userHome,
    codeliaHome,
    isTrusted: async (root) => isTrusted(root),
    state,
  });
}

function sorted(skips: readonly ExpectedSkip[]): string[] {
  return skips.map(({ path, reason }) => `${JSON.stringify(path)} ${reason}`).toSorted();
}

function opens(calls: readonly Call[]): string[] {
  return calls.filter(({ operation }) => operation === "open").map(({ path }) => path);
}

/** Paths that the search for a root and for the instructions of `chain` may ask about. */
function pathsOf({ settings }: Tree, chain: readonly string[], start: string): string[] {
  return [
    ...chain,
    ...chain.flatMap((each) => candidateNamesOf(settings).map((name) => join(each, name))),
    ...upwards(start).flatMap((each) => settings.root.markers.map((marker) => join(each, marker))),
  ];
}

property("the root is found where the oracle finds it and by the same rule", async ({ root, situation }) => {
  const expected = expectedRoot(situation);
  expect({ path: root.path, rule: root.rule }).toEqual({ path: expected.path, rule: expected.rule });
  if (expected.rule === "marker") expect(expected.markers).toContain(root.marker ?? "");
  else expect(root.marker).toBeUndefined();
});

property("the initial load keeps, cuts, omits and skips what the oracle does", async (scene) => {
  const { bundle, joined, record } = await load(scene, scene.port);
  const expected = expectedInitial(scene.situation, scene.root.path);
  const files = bundle.files.map(({ path, kind, status, keptBytes, totalBytes }) => ({
    path,
    kind,
    status,
    keptBytes,
    totalBytes,
  }));
  expect(files).toEqual([...expected.files]);
  expect(sorted(bundle.skipped)).toEqual(sorted(expected.skipped));
  expect(joined).toBe(expected.joined);
  const chain = chainOf(scene.root.path, scene.cwd);
  expect(record.coveredDirs.filter((each) => !chain.includes(each))).toEqual([]);
});

property(
  "the initial load asks about the chain, the markers and home, and opens what it uses",
  async (scene) => {
    const { situation, root, cwd, codeliaHome } = scene;
    await load(scene, scene.port);
    const { opened } = expectedInitial(situation, root.path);
    const chain = chainOf(root.path, cwd);
    const allowed = new Set([...pathsOf(scene, [...chain, codeliaHome], cwd), ...opened.keys()]);
    expect(scene.calls.filter(({ path }) => !allowed.has(path))).toEqual([]);
    expect(opens(scene.calls).filter((path) => !opened.has(path))).toEqual([]);
  },
);

property("a file that cannot be read stops the initial load and is named", async (scene) => {
  const { opened } = expectedInitial(scene.situation, scene.root.path);
  // An empty file says nothing, whether or not it can be read.
  const filled = [...opened].filter(([realPath]) => statSync(realPath).size > 0);
  if (filled.length === 0) return;
  const [realPath, path] = back(filled, scene.spec.unreadable);
  // Mode bits would not stop a test that runs as root.
  const { fs } = watchedFileSystem((call) => {
    if (call.operation === "open" && call.path === realPath) throw systemError("EACCES");
    return undefined;
  });
  const outcome = await load(scene, fs).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(AgentsError);
  expect(outcome).toMatchObject({ code: "unreadable", path });
});

/** @output what the resolver and the oracle answered to each target, in order */
async function play(scene: Scene, resolver: AgentsResolver): Promise<[PathResolution, ExpectedNews][]> {
  const { spec, situation, root, files } = scene;
  const oracle = new OracleLedger(situation, root.path);
  const touch = ({ touch: file }: TargetSpec, at: number): void => {
    if (file !== undefined && files.length > 0) utimesSync(back(files, file), at + 1, 1_000 * (at + 1));
  };
  const answers: [PathResolution, ExpectedNews][] = [];
  if (spec.together) {
    spec.targets.forEach(touch);
    const targets = spec.targets.map((target) => targetPath(scene, target));
    const resolutions = await Promise.all(targets.map((target) => resolver.resolveAgentsForPath(target)));
    for (const [at, target] of targets.entries()) {
      const resolution = resolutions[at];
      if (resolution !== undefined) answers.push([resolution, oracle.resolve(target)]);
    }
    return answers;
  }
  for (const [at, each] of spec.targets.entries()) {
    touch(each, at);
    const target = targetPath(scene, each);
    answers.push([await resolver.resolveAgentsForPath(target), oracle.resolve(target)]);
  }
  return answers;
}

function targetPath({ directories, cwd }: Tree, { at, below, asRelative }: TargetSpec): string {
  const path = join(back(directories, at), below);
  return asRelative ? relative(cwd, path) : path;
}

property("a sequence of targets names what the oracle names, each version of a file once", async (scene) => {
  const initial = await load(scene, scene.port);
  const resolver = resolverFor(scene, initial);
  const answers = await play(scene, resolver);
  const named = new Set<string>();
  for (const [{ resolution }, expected] of answers) {
    const { files, changed, pending, removed } = resolution;
    // Nothing was deleted, so nothing may be told as removed.
    expect({ files, pending, removed }).toEqual({
      files: expected.files,
      pending: expected.pending,
      removed: [],
    });
    expect(expected.changed.filter((path) => !changed.includes(path))).toEqual([]);
    expect(changed.filter((path) => !expected.perhapsChanged.includes(path))).toEqual([]);
    for (const { path, mtimeMs } of files) {
      const version = `${realpathSync(path)} ${mtimeMs}`;
      expect(named).not.toContain(version);
      named.add(version);
    }
    // Home's own directory has rules of its own; what a project search would skip there is not compared.
    const elsewhere = ({ path }: ExpectedSkip): boolean => dirname(path) !== scene.codeliaHome;
    if (expected.searchable)
      expect(sorted(resolution.skipped.filter(elsewhere))).toEqual(
        sorted(expected.skipped.filter(elsewhere)),
      );
  }
  const records = answers.flatMap(([{ record }]) => (record === undefined ? [] : [record]));
  expect(foldAgentsRecords([initial.record, ...records])).toEqual(resolver.state);
});

property("a target makes the resolver ask about its own chain alone and open nothing", async (scene) => {
  const { spec, situation, root, codeliaHome } = scene;
  const resolver = resolverFor(scene, await load(scene, scene.port));
  for (const each of spec.targets) {
    const before = scene.calls.length;
    const path = targetPath(scene, each);
    await resolver.resolveAgentsForPath(path);
    const { target, chain } = scopeOf(situation, root.path, path);
    // Before it was looked at, the target may be a directory with instructions and markers of its own.
    const allowed = new Set([...pathsOf(scene, [...chain, target], target), codeliaHome, root.path]);
    const calls = scene.calls.slice(before);
    expect(calls.filter((call) => !allowed.has(call.path))).toEqual([]);
    expect(opens(calls)).toEqual([]);
  }
});
