// The MCP servers of an editor, as the runtime takes them.
import type { McpServer } from "@agentclientprotocol/sdk";
import type { ClientServer } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";

export interface BroughtServers {
  readonly servers: readonly ClientServer[];
  /** About those that cannot be used. */
  readonly notices: readonly string[];
}

export function broughtServers(given: readonly McpServer[]): BroughtServers {
  const servers: ClientServer[] = [];
  const notices: string[] = [];
  for (const server of given) {
    if (!("type" in server)) {
      const { name, command, args, env } = server;
      servers.push({ name, command, args, env: valuesByName(env) });
    } else if (server.type === "http") {
      const { name, url, headers } = server;
      servers.push({ name, url, headers: valuesByName(headers) });
    } else {
      notices.push(
        `The MCP server ${visibleName(server.name)} is not used: it speaks ${visibleName(server.type)}, and Codelia knows stdio and Streamable HTTP (http).`,
      );
    }
  }
  return { servers, notices };
}

/** Of two with one name the last holds, as for programs. */
function valuesByName(
  list: readonly { readonly name: string; readonly value: string }[],
): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
