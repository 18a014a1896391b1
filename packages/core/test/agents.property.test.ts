// The resolver against an oracle that was written from the specification alone, on random trees on disk.
import { expect, test } from "bun:test";
import { statSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import {
  AgentsError,
  createAgentsResolver,
  findAgentsRoot,
  foldAgentsRecords,
  loadInitialAgents,
} from "@codelia/core";
import type { AgentsRecord, AgentsRoot, FileSystem } from "@codelia/shared-types";
import { nodeFileSystem } from "@codelia/storage";
import fc from "fast-check";
import {
  candidateNamesOf,
  chainOf,
  type ExpectedSkip,
  expectedInitial,
  expectedRoot,
  OracleLedger,
  type Situation,
  upwards,
} from "./agents-oracle.ts";
import { back, type Tree, withTree } from "./built-tree.ts";
import { type TreeSpec, treeSpecs } from "./random-tree.ts";

const numRuns = Number(process.env["CODELIA_PROPERTY_RUNS"] ?? 100);

interface Call {
  readonly operation: keyof FileSystem;
  readonly path: string;
}

interface Scene extends Tree {
  readonly spec: TreeSpec;
  readonly situation: Situation;
  readonly root: AgentsRoot;
  readonly port: FileSystem;
  readonly calls: readonly Call[];
}

/** @param refused real path that cannot be opened; the tests may run as a user whom no mode bits stop */
function recordingPort(calls: Call[], refused?: string): FileSystem {
  const noted = (operation: keyof FileSystem, path: string): string => {
    calls.push({ operation, path });
    return path;
  };
  return {
    lstat: (path) => nodeFileSystem.lstat(noted("lstat", path)),
    stat: (path) => nodeFileSystem.stat(noted("stat", path)),
    realPath: (path) => nodeFileSystem.realPath(noted("realPath", path)),
    open: async (path) => {
      if (noted("open", path) === refused)
        throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: "EACCES" });
      return nodeFileSystem.open(path);
    },
  };
}

async function check(property: (scene: Scene) => Promise<void>): Promise<void> {
  const each = fc.asyncProperty(treeSpecs, (spec) =>
    withTree(spec, async (tree) => {
      const calls: Call[] = [];
      const port = recordingPort(calls);
      const { cwd, userHome, codeliaHome, settings } = tree;
      const root = await findAgentsRoot({ fs: port, cwd, settings: settings.root, userHome, codeliaHome });
      const isTrusted = (path: string) => (path === root.path ? spec.projectTrusted : spec.othersTrusted);
      const situation: Situation = { cwd, userHome, codeliaHome, settings, isTrusted };
      await property({ ...tree, spec, situation, root, port, calls });
    }),
  );
  await fc.assert(each, { numRuns });
}

function load({ cwd, root, settings, codeliaHome, spec }: Scene, fs: FileSystem) {
  return loadInitialAgents({ fs, cwd, root, settings, codeliaHome, trusted: spec.projectTrusted });
}

function sorted(skips: readonly ExpectedSkip[]): string[] {
  return skips.map(({ path, reason }) => `${JSON.stringify(path)} ${reason}`).toSorted();
}

test("the root is found where the oracle finds it and by the same rule", async () => {
  await check(async ({ root, situation }) => {
    const expected = expectedRoot(situation);
    expect({ path: root.path, rule: root.rule }).toEqual({ path: expected.path, rule: expected.rule });
    if (root.marker !== undefined || expected.rule === "marker")
      expect([...expected.markers]).toContain(root.marker ?? "");
  });
});

test("the initial load keeps, cuts, omits and skips what the oracle does", async () => {
  await check(async (scene) => {
    const { bundle, joined } = await load(scene, scene.port);
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
  });
});

test("the search and the initial load touch the chain, the markers and home alone, and open only what they use", async () => {
  await check(async (scene) => {
    const { situation, root, settings, cwd, codeliaHome } = scene;
    await load(scene, scene.port);
    const { opened } = expectedInitial(situation, root.path);
    const chain = chainOf(root.path, cwd);
    const allowed = new Set([
      ...chain,
      ...[...chain, codeliaHome].flatMap((each) =>
        candidateNamesOf(settings).map((name) => join(each, name)),
      ),
      ...upwards(cwd).flatMap((each) => settings.root.markers.map((marker) => join(each, marker))),
      codeliaHome,
      ...opened.keys(),
    ]);
    expect(scene.calls.filter(({ path }) => !allowed.has(path))).toEqual([]);
    const wronglyOpened = scene.calls.filter(
      ({ operation, path }) => operation === "open" && !opened.has(path),
    );
    expect(wronglyOpened).toEqual([]);
  });
});

test("a file that cannot be read stops the initial load and is named", async () => {
  await check(async (scene) => {
    const { opened } = expectedInitial(scene.situation, scene.root.path);
    const readable = [...opened].filter(([realPath]) => statSync(realPath).size > 0);
    if (readable.length === 0) return;
    const [realPath, path] = back(readable, scene.spec.unreadable);
    const outcome = await load(scene, recordingPort([], realPath)).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(AgentsError);
    expect(outcome).toMatchObject({ code: "unreadable", path });
  });
});

test("a sequence of targets names what the oracle names, each version once, and opens nothing", async () => {
  await check(async (scene) => {
    const { spec, situation, root, settings, userHome, codeliaHome, cwd, calls } = scene;
    const initial = await load(scene, scene.port);
    const oracle = new OracleLedger(situation, root.path);
    const resolver = createAgentsResolver({
      fs: scene.port,
      settings,
      userHome,
      codeliaHome,
      isTrusted: async (path) => situation.isTrusted(path),
      state: foldAgentsRecords([initial.record]),
    });
    const records: AgentsRecord[] = [initial.record];
    const opensBefore = calls.filter(({ operation }) => operation === "open").length;
    for (const { at, below, asRelative } of spec.targets) {
      const path = join(back(scene.directories, at), below);
      const target = asRelative ? relative(cwd, path) : path;
      const expected = oracle.resolve(target);
      const { resolution, record } = await resolver.resolveAgentsForPath(target);
      if (record !== undefined) records.push(record);
      expect({
        target,
        files: resolution.files,
        changed: resolution.changed,
        pending: resolution.pending,
      }).toEqual({
        target,
        files: [...expected.files],
        changed: [...expected.changed],
        pending: expected.pending,
      });
    }
    expect(calls.filter(({ operation }) => operation === "open").length).toBe(opensBefore);
    expect(foldAgentsRecords(records)).toEqual(resolver.state);
  });
});
void utimesSync;
