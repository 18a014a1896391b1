// What the specification says about a tree on disk, computed the slow and obvious way. Nothing here comes
// from the engine, so that a mistake in one of them shows.
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { AgentsFile, AgentsFileKind, AgentsSettings, AgentsSkipReason } from "@codelia/shared-types";

export interface Situation {
  readonly cwd: string;
  readonly userHome: string;
  readonly codeliaHome: string;
  readonly settings: AgentsSettings;
  readonly isTrusted: (root: string) => boolean;
}

export interface ExpectedRoot {
  readonly path: string;
  readonly rule: "override" | "marker" | "cwd";
  /** Every marker of the root; the engine may name any of them. */
  readonly markers: readonly string[];
}

export interface ExpectedSkip {
  readonly path: string;
  readonly reason: AgentsSkipReason;
}

export type ExpectedFile = Pick<AgentsFile, "path" | "kind" | "status" | "keptBytes" | "totalBytes">;

export interface ExpectedInitial {
  readonly files: readonly ExpectedFile[];
  readonly skipped: readonly ExpectedSkip[];
  readonly joined: string;
  /** Real path of each file that has to be opened → the path under which it was found. */
  readonly opened: ReadonlyMap<string, string>;
}

export interface Winner {
  readonly path: string;
  readonly realPath: string;
  readonly kind: AgentsFileKind;
}

interface Findings {
  readonly winner: Winner | undefined;
  readonly skipped: readonly ExpectedSkip[];
}

type Look = { readonly realPath: string } | { readonly reason: AgentsSkipReason } | "absent";

const overrideName = "AGENTS.override.md";
const standardName = "AGENTS.md";

export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** The directory itself first, the file system's root last. */
export function upwards(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...upwards(parent)];
}

/** Root first. */
export function chainOf(root: string, directory: string): string[] {
  return upwards(directory)
    .filter((each) => isWithin(each, root))
    .toReversed();
}

export function candidateNamesOf(settings: AgentsSettings): string[] {
  return [...new Set([overrideName, standardName, ...settings.fallbackFilenames])];
}

export function expectedRoot(situation: Situation): ExpectedRoot {
  const override = situation.settings.root.projectRootOverride;
  if (override !== undefined) return { path: override, rule: "override", markers: [] };
  return rootByMarkers(situation, situation.cwd);
}

export function rootByMarkers(situation: Situation, start: string): ExpectedRoot {
  const { markers, stopAtFsRoot } = situation.settings.root;
  for (const directory of upwards(start)) {
    // Above the home directory: it holds it, and is not it. Walks that start elsewhere end there too.
    const aboveHome = directory !== situation.userHome && isWithin(situation.userHome, directory);
    if (!stopAtFsRoot && aboveHome) break;
    const found = markers.filter(
      (marker) => holds(directory, marker) && !isOwnData(situation, join(directory, marker)),
    );
    if (found.length > 0) return { path: directory, rule: "marker", markers: found };
  }
  return { path: start, rule: "cwd", markers: [] };
}

function holds(directory: string, name: string): boolean {
  const kind = kindAt(join(directory, name));
  return kind !== "absent" && kind !== "cyclic" && readdirSync(directory).includes(name);
}

function isOwnData({ codeliaHome, userHome }: Situation, path: string): boolean {
  if (path === codeliaHome || path === join(userHome, ".codelia")) return true;
  return kindAt(codeliaHome) === "directory" && realOf(path) === realOf(codeliaHome);
}

type Kind = "file" | "directory" | "other" | "absent" | "cyclic";

export function kindAt(path: string): Kind {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return "file";
    return stats.isDirectory() ? "directory" : "other";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ELOOP") return "cyclic";
    if (code === "ENOENT" || code === "ENOTDIR") return "absent";
    throw error;
  }
}

export const realOf = (path: string): string => realpathSync(path);

/** @param permitted real directories that the file must lie in; `undefined`: it may lie anywhere */
function look(directory: string, name: string, permitted: readonly string[] | undefined): Look {
  const path = join(directory, name);
  if (kindAt(directory) !== "directory") return "absent";
  if (!readdirSync(directory).includes(name))
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? "absent" : { reason: "case_mismatch" };
  const kind = kindAt(path);
  if (kind === "cyclic") return { reason: "cyclic_link" };
  if (kind === "absent") return { reason: "dangling_link" };
  if (kind !== "file") return { reason: "not_a_file" };
  const realPath = realOf(path);
  const allowed = permitted === undefined || permitted.some((each) => isWithin(realPath, each));
  return allowed ? { realPath } : { reason: "outside_root" };
}

export function search(directory: string, names: readonly string[], permitted: readonly string[]): Findings {
  let winner: Winner | undefined;
  const skipped: ExpectedSkip[] = [];
  for (const name of names) {
    const path = join(directory, name);
    // Where a link behind the winner leads does not matter: it is not followed.
    const seen = look(directory, name, winner === undefined ? permitted : undefined);
    if (seen === "absent") continue;
    if ("reason" in seen) skipped.push({ path, reason: seen.reason });
    else if (winner !== undefined) skipped.push({ path, reason: "shadowed" });
    else winner = { path, realPath: seen.realPath, kind: kindOf(name) };
  }
  return { winner, skipped };
}

/** Files that would count if the project were allowed to speak. */
export function withheld(
  directory: string,
  names: readonly string[],
  reason: "untrusted" | "disabled",
): ExpectedSkip[] {
  return names.flatMap((name) => {
    const found = look(directory, name, undefined);
    return found !== "absent" && "realPath" in found ? [{ path: join(directory, name), reason }] : [];
  });
}

function kindOf(name: string): AgentsFileKind {
  if (name === overrideName) return "override";
  return name === standardName ? "standard" : "fallback";
}

/** Directories the user entered by choosing the working directory may lie outside the real root. */
export function permittedFor(situation: Situation, root: string, directory: string): string[] {
  const entered = isWithin(situation.cwd, directory);
  return [root, ...(entered ? [directory] : [])].filter((each) => kindAt(each) === "directory").map(realOf);
}

export function expectedInitial(situation: Situation, root: string): ExpectedInitial {
  const { settings } = situation;
  const home = settings.home.enabled ? homeOf(situation) : undefined;
  const skipped: ExpectedSkip[] = [...(home?.skipped ?? [])];
  const files: ExpectedFile[] = home?.file === undefined ? [] : [home.file];
  const opened = new Map(home?.opened ?? []);
  const seen = new Set<string>(home?.realPath === undefined ? [] : [home.realPath]);
  const texts: string[] = [];
  const names = candidateNamesOf(settings);
  const closed = closedBecause(situation, root);
  let bytesLeft = settings.initial.maxBytes;
  let filesLeft = settings.initial.maxFiles;
  for (const directory of chainOf(root, situation.cwd)) {
    if (closed !== undefined) {
      skipped.push(...withheld(directory, names, closed));
      continue;
    }
    const findings = search(directory, names, permittedFor(situation, root, directory));
    skipped.push(...findings.skipped);
    const winner = findings.winner;
    if (winner === undefined) continue;
    const { path, kind, realPath } = winner;
    if (seen.has(realPath)) {
      skipped.push({ path, reason: "duplicate" });
      continue;
    }
    if (!opened.has(realPath)) opened.set(realPath, path);
    const bytes = textBytes(realPath);
    if (decode(bytes).trim() === "") {
      skipped.push({ path, reason: "blank" });
      continue;
    }
    seen.add(realPath);
    const kept = filesLeft > 0 ? cut(bytes, bytesLeft) : bytes.subarray(0, 0);
    filesLeft -= 1;
    bytesLeft -= kept.length;
    if (kept.length > 0) texts.push(decode(kept));
    files.push({
      path,
      kind,
      status: kept.length === bytes.length ? "whole" : kept.length > 0 ? "cut" : "omitted",
      keptBytes: kept.length,
      totalBytes: bytes.length,
    });
  }
  const project = texts.join("\n\n");
  const parts = [home?.text ?? "", project].filter((text) => text !== "");
  return { files, skipped, joined: parts.join("\n\n--- project-doc ---\n\n"), opened };
}

function closedBecause(situation: Situation, root: string): "untrusted" | "disabled" | undefined {
  if (!situation.isTrusted(root)) return "untrusted";
  return situation.settings.initial.maxBytes === 0 ? "disabled" : undefined;
}

interface Home {
  readonly file: ExpectedFile | undefined;
  readonly text: string;
  readonly realPath: string | undefined;
  readonly skipped: readonly ExpectedSkip[];
  readonly opened: ReadonlyMap<string, string>;
}

function homeOf(situation: Situation): Home {
  const skipped: ExpectedSkip[] = [];
  const opened = new Map<string, string>();
  let text = "";
  let realPath: string | undefined;
  let file: ExpectedFile | undefined;
  for (const name of [overrideName, standardName]) {
    const path = join(situation.codeliaHome, name);
    const seen = look(situation.codeliaHome, name, undefined);
    if (seen === "absent") continue;
    if ("reason" in seen) skipped.push({ path, reason: seen.reason });
    else if (file !== undefined) skipped.push({ path, reason: "shadowed" });
    else {
      if (!opened.has(seen.realPath)) opened.set(seen.realPath, path);
      const bytes = textBytes(seen.realPath);
      text = decode(bytes).trim();
      if (text === "") skipped.push({ path, reason: "blank" });
      else {
        realPath = seen.realPath;
        file = { path, kind: "home", status: "whole", keptBytes: bytes.length, totalBytes: bytes.length };
      }
    }
  }
  return { file, text, realPath, skipped, opened };
}

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

function textBytes(path: string): Uint8Array {
  const bytes = new Uint8Array(readFileSync(path));
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return marked ? bytes.subarray(3) : bytes;
}

/** A cut is at a boundary when both halves, decoded on their own, are the whole decoded at once. */
function cut(bytes: Uint8Array, limit: number): Uint8Array {
  const whole = decode(bytes);
  let length = Math.min(limit, bytes.length);
  while (decode(bytes.subarray(0, length)) + decode(bytes.subarray(length)) !== whole) length -= 1;
  return bytes.subarray(0, length);
}
