// Runs a script in a scene, through the runtime's handlers, on a disk that the test chooses.
import { join } from "node:path";
import { connectInProcess, isFlowEvent, type Params, type Result, type RunEvent } from "@codelia/protocol";
import { createHandlers } from "@codelia/runtime";
import { type Disk, nodeFileSystem } from "@codelia/storage";

export interface SceneRun {
  /** The scene's top. */
  readonly top: string;
  readonly disk: Disk;
  /** Of the script in the scene. */
  readonly script: string;
  /** The session to go on with; absent: a new one. */
  readonly resume?: string;
  readonly emit?: (event: RunEvent) => void;
}

/** @error ProtocolError, as a face would get it */
export function runInScene({
  top,
  disk,
  script,
  resume,
  emit = () => {},
}: SceneRun): Promise<Result<"run.start">> {
  const environment = {
    env: { PATH: process.env.PATH, CODELIA_HOME: codeliaHome(top) },
    userHome: join(top, "home"),
    fs: nodeFileSystem,
    disk,
    version: "0.0.0",
    now: () => new Date(),
    fetch: () => Promise.reject(new Error("there is no network here")),
    executable: process.execPath,
  };
  const client = connectInProcess(createHandlers(environment, { settings: [], trust: true }));
  const params: Params<"run.start"> = {
    cwd: join(top, "repo"),
    prompt: resume === undefined ? "Change the files." : "Go on.",
    images: [],
    model: `scripted/${join(top, script)}`,
    approval: "full",
    compact: true,
    ...(resume === undefined ? {} : { session: { how: "resume", id: resume } }),
  };
  return client.call("run.start", params, {
    emit: (event) => {
      if (!isFlowEvent(event)) emit(event);
    },
  });
}

export function codeliaHome(top: string): string {
  return join(top, "home/.codelia");
}
