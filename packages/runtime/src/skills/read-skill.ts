// Reads what a SKILL.md says of itself: only its head, and never what is no regular file.
import { explainSystemError, isInside } from "@codelia/core";
import { errorCode } from "@codelia/shared-types";
import type { SkillDisk } from "./disk.ts";
import {
  type Checked,
  type FrontmatterReader,
  maxHeadBytes,
  type Problem,
  readFrontmatter,
  splitFrontmatter,
} from "./frontmatter/index.ts";
import { noStamp, type Stamp, stampOf } from "./stamp.ts";
import { type Found, outside, skillFileName } from "./walk.ts";

export interface ReadOptions {
  readonly disk: SkillDisk;
  /** Real path of what links must stay inside. */
  readonly boundary: string | undefined;
  readonly reader: FrontmatterReader | undefined;
  readonly now: number;
}

export interface ReadSkill extends Checked {
  readonly realPath: string;
  readonly mtimeMs: number;
  readonly stamp: Stamp;
}

const firstBytes = 4096;
// One buffer for all: reads are direct, one after the other.
let buffer = new Uint8Array(0);

/** @output undefined when the YAML parser is needed and was not given */
export function readSkill(
  found: Pick<Found, "dir" | "realDir" | "dirName" | "kind">,
  options: ReadOptions,
): ReadSkill | undefined {
  const { disk, now } = options;
  const path = `${found.dir}/${skillFileName}`;
  let realPath = `${found.realDir}/${skillFileName}`;
  const failed = (message: string, fix: string): ReadSkill => ({
    realPath,
    mtimeMs: 0,
    stamp: noStamp,
    frontmatter: undefined,
    problems: [{ severity: "error", message, line: 1, column: 1, fix }],
  });
  try {
    if (found.kind === "link") {
      realPath = disk.realPath(path);
      if (options.boundary !== undefined && !isInside(realPath, options.boundary)) {
        return failed(...outside(options.boundary));
      }
      if (!disk.stat(realPath).isFile()) return failed(...notRegular);
    } else if (found.kind !== "file") {
      return failed(...notRegular);
    }
    const fd = disk.open(realPath);
    try {
      const stats = disk.fstat(fd);
      if (!stats.isFile()) return failed(...notRegular);
      const dirNames = [found.dirName, nameOf(found.realDir)];
      const checked = readHead(disk, fd, stats.size, dirNames, options.reader);
      if (checked === undefined) return undefined;
      // A link may be turned elsewhere without a trace on what it leads to.
      const stamp = found.kind === "link" ? noStamp : stampOf(stats, now);
      return { realPath, mtimeMs: Math.max(0, stats.mtimeMs), stamp, ...checked };
    } finally {
      disk.close(fd);
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    if (errorCode(error) !== "ENOENT") return failed(explainSystemError(error), "make the file readable");
    return failed("is gone, or a link that leads nowhere", "restore it, or remove the skill's folder");
  }
}

const notRegular: [string, string] = ["is no regular file and was not opened", "replace it by a text file"];

function readHead(
  disk: SkillDisk,
  fd: number,
  size: number,
  dirNames: readonly string[],
  reader: FrontmatterReader | undefined,
): Checked | undefined {
  if (buffer.length === 0) buffer = new Uint8Array(maxHeadBytes);
  for (const most of [firstBytes, maxHeadBytes]) {
    const head = buffer.subarray(0, fill(disk, fd, most));
    const isWhole = head.length < most || head.length >= size;
    const split = splitFrontmatter(head, isWhole);
    if (split.kind === "found") return readFrontmatter(split.yaml, dirNames, reader);
    if (split.kind === "problem") return broken(split.problem);
  }
  return broken({ severity: "error", message: "cannot be read", line: 1, column: 1, fix: "try again" });
}

function fill(disk: SkillDisk, fd: number, most: number): number {
  let filled = 0;
  while (filled < most) {
    const count = disk.read(fd, buffer.subarray(filled, most), filled);
    if (count === 0) break;
    filled += count;
    // A regular file gives all it has at once; the second read would only say that it has ended.
    if (filled < most) break;
  }
  return filled;
}

function broken(problem: Problem): Checked {
  return { frontmatter: undefined, problems: [problem] };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
