// Turns a prompt reference into text: finds the file, reads it, puts the variables in.
import type { FileSystem, PromptReference } from "@codelia/shared-types";
import { visibleName } from "@codelia/shared-types";
import { nodeFileSystem, readSmallFile } from "@codelia/storage";
import { ConfigurationError } from "../error.ts";
import { substitute } from "../handoff/index.ts";
import { isWithin, type PromptPlace, promptPlaces, referenceName } from "./prompt-files.ts";

const maxPromptBytes = 1024 * 1024;

export type Variables = Readonly<Record<string, string>>;

export interface PromptResolverOptions {
  /** The agent's own. */
  readonly directory: string;
  readonly fallbackDir?: string | undefined;
  readonly fs?: FileSystem;
}

export interface PromptFile {
  readonly path: string;
  readonly text: string;
}

export class PromptResolver {
  readonly #directory: string;
  readonly #fallbackDir: string | undefined;
  readonly #fs: FileSystem;

  constructor({ directory, fallbackDir, fs = nodeFileSystem }: PromptResolverOptions) {
    this.#directory = directory;
    this.#fallbackDir = fallbackDir;
    this.#fs = fs;
  }

  /**
   * @input  ref: a path or a C3L reference; variables: values by their names in the text
   * @output the text, never blank
   * @effects reads files
   * @error  ConfigurationError NotFound: no file, or nothing in it; Unreadable
   */
  async resolve(ref: PromptReference, variables: Variables = {}): Promise<string> {
    const { path, text } = await this.read(ref);
    const resolved = substitute(text, variables);
    if (resolved.trim() === "") {
      throw new ConfigurationError(
        "NotFound",
        `${visibleName(path)}: nothing is left of this prompt without values.`,
      );
    }
    return resolved;
  }

  /** As `resolve`, with the variables still in it. */
  async read(ref: PromptReference): Promise<PromptFile> {
    const tried: string[] = [];
    for (const place of promptPlaces(ref, { directory: this.#directory, fallbackDir: this.#fallbackDir })) {
      const text = await this.#readPlace(place);
      if (text !== undefined) return { path: place.path, text };
      tried.push(visibleName(place.path));
    }
    const where =
      tried.length === 0 ? "it lies outside the agent's directory" : `looked for ${tried.join(", ")}`;
    throw new ConfigurationError(
      "NotFound",
      `There is no prompt ${visibleName(referenceName(ref))}: ${where}. Write the file; a blank one does not count.`,
    );
  }

  async #readPlace({ path, within }: PromptPlace): Promise<string | undefined> {
    try {
      const [real, realWithin] = await Promise.all([this.#fs.realPath(path), this.#fs.realPath(within)]);
      // A link out of the agent's directory would bring a stranger's file into a prompt.
      if (real === undefined || realWithin === undefined || !isWithin(real, realWithin)) return undefined;
      const read = await readSmallFile(this.#fs, real, maxPromptBytes);
      if (read.outcome === "too_large") throw new Error(`it has more than ${maxPromptBytes} bytes`);
      if (read.outcome !== "text" || read.text.trim() === "") return undefined;
      if (read.text.includes("\0")) throw new Error("it is no text, it holds a NUL");
      return read.text;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigurationError(
        "Unreadable",
        `${visibleName(path)}: cannot read this prompt: ${reason}.`,
        {
          cause: error,
        },
      );
    }
  }
}
