// What a connection takes from its surroundings.
import type { Fetch } from "@codelia/models";
import type { Secret } from "../secrets/index.ts";
import type { HttpConfigured } from "./configured-server.ts";
import type { LoginStore } from "./logins.ts";
import type { ProcessPlace } from "./server-process.ts";

export interface ConnectionPlace extends ProcessPlace {
  /** Without a sandbox nothing is started, unless the server's own settings say so. */
  readonly requiresSandbox: boolean;
  /** Of this program. */
  readonly version: string;
  readonly fetch: Fetch;
  /** What the server was given and must not be told to a model, also where the server itself says it. */
  readonly secrets: readonly Secret[];
  readonly login: (server: HttpConfigured) => LoginStore;
}
