// What logins brought, one file a server, readable for the user alone.
import { join } from "node:path";
import { type FileSystem, type McpLogin, McpLoginSchema } from "@codelia/shared-types";
import { readSmallFile, removeFile, writeFileAtomic } from "@codelia/storage";
import { type HttpConfigured, sha256 } from "./configured-server.ts";

const maxBytes = 256 * 1024;

export interface LoginStore {
  /** @output undefined: nobody has logged in, or the file is damaged and a login mends it */
  read(): Promise<McpLogin | undefined>;
  /** @effects changes the parts that are given; the others stay */
  change(parts: Partial<McpLogin>): Promise<void>;
  /** @output whether there was one */
  remove(): Promise<boolean>;
}

/** A login belongs to an owner's server at one address: another address never gets its token. */
export function openLogin(fs: FileSystem, codeliaHome: string, server: HttpConfigured): LoginStore {
  const { url } = server.config;
  const file = join(
    codeliaHome,
    "mcp",
    "logins",
    `${sha256(JSON.stringify([server.owner, server.name, url]))}.json`,
  );
  const read = async () => {
    const found = await readSmallFile(fs, file, maxBytes);
    const parsed = McpLoginSchema.safeParse(found.outcome === "text" ? jsonValue(found.text) : undefined);
    return parsed.success && parsed.data.url === url ? parsed.data : undefined;
  };
  return {
    read,
    async change(parts) {
      const login = { format: 1 as const, url, ...(await read()), ...parts };
      await writeFileAtomic(file, `${JSON.stringify(McpLoginSchema.parse(login))}\n`);
    },
    remove: () => removeFile(file),
  };
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
