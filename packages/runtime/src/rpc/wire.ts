// Instructions, settings and trust on the wire: inner names (camelCase) become snake_case here. Runs: run-events.ts.
import type { SettingEntry } from "@codelia/config";
import type { Result } from "@codelia/protocol";
import type { AgentsFile, TrustedProject } from "@codelia/shared-types";
import type { AgentsTree } from "../agents/index.ts";
import { describeSource, type Project, type ProjectTrust } from "../project/index.ts";

type ContextResult = Result<"context.inspect">;

export function wireFile(file: AgentsFile): ContextResult["agents"]["files"][number] {
  const { path, kind, status, totalBytes, keptBytes, sha256, mtimeMs, neutralisedTags } = file;
  return {
    path,
    kind,
    status,
    total_bytes: totalBytes,
    kept_bytes: keptBytes,
    sha256,
    mtime_ms: mtimeMs,
    neutralised_tags: neutralisedTags,
  };
}

export function wireTrust({ state, identity, trustedAt }: ProjectTrust): ContextResult["trust"] {
  return { state, identity, ...(trustedAt === undefined ? {} : { trusted_at: trustedAt }) };
}

export function wireRoot({ root, settings }: Project): ContextResult["root"] {
  const override = settings.entries.find(({ key }) => key === "agents.root.projectRootOverride");
  return {
    ...root,
    ...(root.rule === "override" && override ? { override_source: describeSource(override.source) } : {}),
  };
}

export function wireResolvedFile(file: { path: string; mtimeMs: number; sizeBytes: number }) {
  return { path: file.path, mtime_ms: file.mtimeMs, size_bytes: file.sizeBytes };
}

export function wireTreeDirectory(
  directory: AgentsTree["directories"][number],
): Result<"agents.tree">["directories"][number] {
  const { path, file, kind, ownBytes, inheritedBytes } = directory;
  return { path, file, kind, own_bytes: ownBytes, inherited_bytes: inheritedBytes };
}

export function wireSetting(entry: SettingEntry): Result<"config.inspect">["settings"][number] {
  return { ...entry, value: withoutSecrets(entry.value, entry.key === "issues.github.token") };
}

/** Keys and headers are shown as set, never as they are. */
function withoutSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === "string") return isSecret ? "(hidden)" : value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      withoutSecrets(child, isSecret || name === "apiKey" || name === "headers"),
    ]),
  );
}

export function wireTrustedProject({
  root,
  identity,
  trustedAt,
}: TrustedProject): Result<"trust.add">["project"] {
  return { root, identity, trusted_at: trustedAt };
}
