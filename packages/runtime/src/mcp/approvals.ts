// What the user approved: one small file for each server of an owner, so that no two writers meet.
import { join } from "node:path";
import { type FileSystem, type McpApproval, McpApprovalSchema, type McpTool } from "@codelia/shared-types";
import { readSmallFile, removeFile, writeFileAtomic } from "@codelia/storage";
import { type ConfiguredServer, sha256 } from "./configured-server.ts";

const maxBytes = 8 * 1024 * 1024;

export interface ApprovalStore {
  /** @output undefined: nothing was approved, or what was is damaged and has to be asked again */
  find(server: Pick<ConfiguredServer, "name" | "owner">): Promise<McpApproval | undefined>;
  keep(approval: McpApproval): Promise<void>;
  /** @output whether there was one */
  remove(server: Pick<ConfiguredServer, "name" | "owner">): Promise<boolean>;
}

export function openApprovals(fs: FileSystem, codeliaHome: string): ApprovalStore {
  const fileOf = ({ name, owner }: Pick<ConfiguredServer, "name" | "owner">) =>
    join(codeliaHome, "mcp", "approvals", `${sha256(JSON.stringify([owner, name]))}.json`);
  return {
    async find(server) {
      const read = await readSmallFile(fs, fileOf(server), maxBytes);
      const parsed = McpApprovalSchema.safeParse(read.outcome === "text" ? jsonValue(read.text) : undefined);
      if (!parsed.success) return undefined;
      const { name, owner, pin, tools, instructions } = parsed.data;
      // A file under a name that is not its own, or whose tools are not those of its pin, says nothing.
      const isWhole = name === server.name && owner === server.owner;
      return isWhole && (pin === undefined || pin === pinOf({ tools, instructions }))
        ? parsed.data
        : undefined;
    },
    keep: (approval) => writeFileAtomic(fileOf(approval), `${JSON.stringify(approval)}\n`),
    remove: (server) => removeFile(fileOf(server)),
  };
}

export interface Offer {
  readonly tools: readonly McpTool[];
  readonly instructions?: string | undefined;
}

/** Two offers have one pin exactly when a model would be told the same. */
export function pinOf({ tools, instructions }: Offer): string {
  const byName = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sha256(canonical({ tools: byName, instructions: instructions ?? "" }));
}

/** JSON with the keys of every object in order: servers need not keep theirs. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

export interface OfferChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly instructions: boolean;
}

export function changeBetween(before: Offer, after: Offer): OfferChange {
  const old = new Map(before.tools.map((tool) => [tool.name, canonical(tool)]));
  const now = new Map(after.tools.map((tool) => [tool.name, canonical(tool)]));
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].filter(([name, text]) => old.has(name) && old.get(name) !== text).map(([name]) => name),
    instructions: (before.instructions ?? "") !== (after.instructions ?? ""),
  };
}

/** On one line. */
export function describeChange({ added, removed, changed, instructions }: OfferChange): string {
  const parts = [
    ...listed("changed", changed),
    ...listed("new", added),
    ...listed("gone", removed),
    ...(instructions ? ["other instructions"] : []),
  ];
  return parts.join("; ");
}

const maxNamed = 12;

function listed(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return [`${what}: ${names.slice(0, maxNamed).join(", ")}${more}`];
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
