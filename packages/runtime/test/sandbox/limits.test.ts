import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { defaultSettings } from "@codelia/config";
import { endScenesAfterEachTest, SandboxScene } from "./sandbox-scene.ts";

endScenesAfterEachTest();

const { limits } = defaultSettings.sandbox;

test("no file grows beyond the limit", async () => {
  const scene = new SandboxScene({}, { settings: { limits: { ...limits, fileSizeMiB: 1 } } });
  await scene.bash("head -c 3000000 /dev/zero > large");
  expect(statSync(scene.at("work/large")).size).toBe(1024 * 1024);
});

test("no process opens more files or takes more memory than it may", async () => {
  const scene = new SandboxScene({}, { settings: { limits: { ...limits, openFiles: 40, memoryMiB: 500 } } });
  const output = await scene.bash(
    'for i in {50..60}; do eval "exec $i</dev/null" 2>/dev/null || { echo too many; break; }; done; ' +
      "head -c 900m /dev/zero | tail -c 890m >/dev/null 2>&1 || echo too large; ulimit -Hv",
  );
  expect(output).toBe("too many\ntoo large\n512000\nexit code 0\n");
});

// The kernel exempts root from the number of processes; for all others this limit is what counts.
test("the limits are in force and cannot be raised again", async () => {
  const scene = new SandboxScene(
    {},
    { settings: { limits: { processes: 500, openFiles: 1000, fileSizeMiB: 2 } } },
  );
  expect(
    await scene.bash(
      "ulimit -Hu; ulimit -Hn; ulimit -Hf; for l in 'u 600' 'n 2000' 'f 9999'; do ulimit -H$l 2>/dev/null && echo raised $l; done; ulimit -c",
    ),
  ).toBe("500\n1000\n2048\n0\nexit code 0\n");
});
