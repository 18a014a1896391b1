// Settings from environment variables. An empty variable counts as unset.
import { type Layer, parseLayer } from "./layer.ts";

const rootVariable = "CODELIA_AGENTS_ROOT";
const markersVariable = "CODELIA_AGENTS_MARKERS";

export function environmentLayer(env: Readonly<Record<string, string | undefined>>): Layer {
  const root: Record<string, unknown> = {};
  if (env[rootVariable]) root.projectRootOverride = env[rootVariable];
  // A lone comma is the way to say "no markers".
  if (env[markersVariable]) root.markers = commaSeparated(env[markersVariable]);
  return parseLayer("environment", { agents: { root } }, (path) => ({
    name: path.includes("markers") ? markersVariable : rootVariable,
  }));
}

function commaSeparated(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
