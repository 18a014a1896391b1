// The user's list of trusted projects: one small file each, so that no two writers meet.
import { createHash } from "node:crypto";
import { promises as nodeFs } from "node:fs";
import { join } from "node:path";
import type { FileSystem, TrustedProject } from "@codelia/shared-types";
import { TrustedProjectSchema } from "@codelia/shared-types";
import { readSmallFile, removeFile, writeFileAtomic } from "@codelia/storage";
import { ConfigError } from "../error.ts";
import { projectIdentity } from "./identity.ts";

const maxEntryBytes = 64 * 1024;

export interface TrustStore {
  /** The entry of the project with this root; `undefined`: not trusted. */
  find(root: string): Promise<TrustedProject | undefined>;
  /** The same for a project whose identity is known already. */
  findByIdentity(identity: string): Promise<TrustedProject | undefined>;
  add(root: string): Promise<TrustedProject>;
  /** By root or, for projects that are gone, by the root or identity as listed. */
  remove(rootOrIdentity: string): Promise<TrustedProject | undefined>;
  /** Sorted by root. */
  list(): Promise<TrustedProject[]>;
}

export interface TrustStoreOptions {
  readonly fs: FileSystem;
  readonly codeliaHome: string;
  readonly now: () => Date;
}

export function openTrustStore({ fs, codeliaHome, now }: TrustStoreOptions): TrustStore {
  const folder = join(codeliaHome, "trust");
  const fileOf = (identity: string) =>
    join(folder, `${createHash("sha256").update(identity).digest("hex")}.json`);

  async function read(file: string): Promise<TrustedProject | undefined> {
    const entry = await readSmallFile(fs, file, maxEntryBytes);
    if (entry.outcome === "absent") return undefined;
    const parsed = TrustedProjectSchema.safeParse(
      entry.outcome === "text" ? jsonValue(entry.text) : undefined,
    );
    if (parsed.success) return parsed.data;
    throw new ConfigError([
      {
        name: file,
        key: "",
        message: "this trust entry is damaged; delete the file and trust the project again",
      },
    ]);
  }

  async function findByIdentity(identity: string): Promise<TrustedProject | undefined> {
    const entry = await read(fileOf(identity));
    return entry?.identity === identity ? entry : undefined;
  }

  async function find(root: string): Promise<TrustedProject | undefined> {
    return findByIdentity(await projectIdentity(fs, root));
  }

  async function list(): Promise<TrustedProject[]> {
    const names = (await fs.stat(folder)) === undefined ? [] : await nodeFs.readdir(folder);
    const files = names.filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
    const entries = await Promise.all(files.map((name) => read(join(folder, name))));
    return entries.filter((entry) => entry !== undefined).toSorted((a, b) => (a.root < b.root ? -1 : 1));
  }

  return {
    find,
    findByIdentity,
    list,
    async add(root) {
      const entry = { identity: await projectIdentity(fs, root), root, trustedAt: now().toISOString() };
      await writeFileAtomic(fileOf(entry.identity), `${JSON.stringify(entry, undefined, 2)}\n`);
      return entry;
    },
    async remove(rootOrIdentity) {
      const listed = (await list()).find(({ root, identity }) => [root, identity].includes(rootOrIdentity));
      const entry = listed ?? (await find(rootOrIdentity));
      if (entry !== undefined) await removeFile(fileOf(entry.identity));
      return entry;
    },
  };
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
