// A config.json as a layer.
import type { FileSystem } from "@codelia/shared-types";
import { readTextFile } from "@codelia/storage";
import { ConfigError } from "../error.ts";
import { type Layer, parseLayer } from "./layer.ts";

export const maxConfigBytes = 1024 * 1024;

/**
 * @output the layer; `undefined` when the file does not exist
 * @error  ConfigError: unreadable, not JSON, or not of the schema; with file, line and column
 */
export async function readFileLayer(
  fs: FileSystem,
  file: string,
  name: "user" | "project",
): Promise<Layer | undefined> {
  const fail = (message: string, cause?: unknown) =>
    new ConfigError([{ name: file, key: "", message }], { cause });
  const text = await readTextFile(fs, file, maxConfigBytes, fail);
  return text === undefined ? undefined : await layerOfText(file, name, text);
}

/** @error ConfigError: not JSON, or not of the schema; with file, line and column */
export async function layerOfText(file: string, name: "user" | "project", text: string): Promise<Layer> {
  // Loaded only where there is a file: most projects have none.
  const { parseJson } = await import("./json-document.ts");
  const parse = parseJson(text);
  if (!parse.ok)
    throw new ConfigError(parse.problems.map((problem) => ({ name: file, key: "", ...problem })));
  const { document } = parse;
  return parseLayer(
    name,
    document.value,
    (path) => ({ name: file, ...document.locate(path) }),
    (path) => ({ name: file, ...document.locateKey(path) }),
  );
}
