import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { endScenesAfterEachTest, SandboxScene } from "./sandbox-scene.ts";

endScenesAfterEachTest();

test("a command writes in the workspace and in its own /tmp, which the next command sees and the machine does not", async () => {
  const scene = new SandboxScene({ "work/a.txt": "a\n" });
  expect(
    await scene.bash(
      "echo b >> a.txt; echo t > /tmp/canary-of-this-test; echo v > /var/tmp/canary-of-this-test",
    ),
  ).toBe("exit code 0\n");
  expect(
    await scene.bash("cat a.txt /tmp/canary-of-this-test /var/tmp/canary-of-this-test; echo $TMPDIR"),
  ).toBe("a\nb\nt\nv\n/tmp\nexit code 0\n");
  expect([
    readFileSync(scene.at("work/a.txt"), "utf8"),
    existsSync("/tmp/canary-of-this-test"),
    existsSync("/var/tmp/canary-of-this-test"),
  ]).toEqual(["a\nb\n", false, false]);
});

test("nothing outside the workspace can be written, made or removed", async () => {
  const scene = new SandboxScene({ "home/canary": "alive\n", "beside/canary": "alive\n" });
  const output = await scene.bash(
    `echo x > ~/canary; rm -f ~/canary; touch ~/new; rm -rf ../beside; touch /canary-of-this-test /etc/canary-of-this-test; echo done`,
  );
  expect([
    output.endsWith("done\nexit code 0\n"),
    readFileSync(scene.at("home/canary"), "utf8"),
    readdirSync(scene.at("home")),
    readFileSync(scene.at("beside/canary"), "utf8"),
    existsSync("/canary-of-this-test"),
    existsSync("/etc/canary-of-this-test"),
  ]).toEqual([true, "alive\n", ["canary"], "alive\n", false, false]);
});
