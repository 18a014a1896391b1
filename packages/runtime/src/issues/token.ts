// Where a token for GitHub comes from: the user's environment or settings, never the repository.
import type { IssuesSettings } from "@codelia/shared-types";

/** As the gh program has it: a token for github.com is not sent to another host. */
export function githubToken(
  env: Readonly<Record<string, string | undefined>>,
  { token, tokenEnv }: Pick<IssuesSettings["github"], "token" | "tokenEnv">,
  host: string,
): string | undefined {
  const isPublic = host === "github.com" || host.endsWith(".ghe.com");
  const usual = isPublic ? ["GH_TOKEN", "GITHUB_TOKEN"] : ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
  const names = tokenEnv === undefined ? usual : [tokenEnv];
  const found = names.map((name) => env[name]?.trim() ?? "").find((value) => value !== "");
  return found ?? token;
}
