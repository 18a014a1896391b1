// `write`: a whole file, new or over one that the model has seen.
import type { Tool } from "@codelia/core";
import { type Disk, nodeDisk } from "@codelia/storage";
import { z } from "zod";
import { preview } from "./diff/index.ts";
import type { ToolEnvironment } from "./environment.ts";
import {
  accessPaths,
  applyChanges,
  counted,
  decodeText,
  encodeText,
  isAllCrlf,
  isKnown,
  type Location,
  lineCount,
  locate,
  readSnapshotIfPresent,
  requireSeen,
  sizeText,
  type TextFile,
  withEnding,
} from "./files/index.ts";

const parameters = z.strictObject({ path: z.string(), content: z.string() });

export type WriteArguments = z.infer<typeof parameters>;

export function createWriteTool(environment: ToolEnvironment, disk: Disk = nodeDisk): Tool<WriteArguments> {
  const { readVersions } = environment;

  /** What is there now and what shall be, by the rules of this tool. */
  async function plan(location: Location, content: string) {
    const before = await readSnapshotIfPresent(disk, location);
    if (before === undefined) return { before, old: undefined, text: { bom: false, text: content } };
    requireSeen(readVersions, location, before.bytes);
    const old = decodeText(before.bytes, location.shown);
    return { before, old, text: inStyleOf(old, content) };
  }

  return {
    name: "write",
    description:
      "Create a file, or replace the whole content of one that you have read. Parent directories are created. Prefer edit for changes.",
    parameters,
    async prepare({ path, content }) {
      const location = await locate(disk, environment, path);
      encodeText({ bom: false, text: content });
      // Before permission is given, nothing is looked at that the model has not read.
      const planned = isKnown(readVersions, location) ? await plan(location, content) : undefined;
      const [before, after] = [planned?.old?.text, planned?.text.text ?? content];
      return {
        title: `write ${location.shown} (${counted(lineCount(content), "line")})`,
        paths: [location.path],
        access: { kind: "write", paths: accessPaths([location]) },
        preview: preview(location.shown, before, after),
        changes: [{ path: location.path, before, after }],
        async execute({ output, ...execution }) {
          const current = await plan(location, content);
          const { old, text } = current;
          const bytes = encodeText(text);
          await applyChanges(disk, [{ location, before: current.before, after: bytes }], execution);
          readVersions.remember(location.real, bytes);
          const done = current.before === undefined ? "Created" : "Overwrote";
          const size = `${sizeText(bytes.length)}, ${counted(lineCount(text.text), "line")}`;
          await output.write(`${done} ${location.shown}: ${size}${kept(old, text, content)}.\n`);
        },
      };
    },
  };
}

/** The model was shown the text without byte order mark and CR; what it did not see it cannot mean to remove. */
function inStyleOf(old: TextFile, content: string): TextFile {
  const marked = content.startsWith("\ufeff");
  const text = marked ? content.slice(1) : content;
  const crlf = isAllCrlf(old.text) && !text.includes("\r");
  return { bom: old.bom || marked, text: crlf ? withEnding(text, "\r\n") : text };
}

function kept(old: TextFile | undefined, text: TextFile, content: string): string {
  const bom = old?.bom ? ["the byte order mark"] : [];
  const crlf = text.text.includes("\r\n") && !content.includes("\r") ? ["CRLF line endings"] : [];
  const marks = [...bom, ...crlf];
  return marks.length === 0 ? "" : `, kept ${marks.join(" and ")}`;
}
