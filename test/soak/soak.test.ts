// A short one; `npm run soak` has 5,000 turns and 1,000 sessions, and looks at memory.
import { expect, test } from "bun:test";
import { SoakDesk } from "./desk.ts";

test("runs and sessions that ended leave no file open and no process behind", async () => {
  await using desk = await SoakDesk.open();
  await desk.run();
  const id = await desk.sessionId();
  await desk.reopen(id);
  const { files, children } = desk.state();
  await desk.run();
  for (let count = 0; count < 5; count += 1) await desk.reopen(id);
  const after = desk.state();
  expect([after.files, after.children]).toEqual([files, children]);
});
