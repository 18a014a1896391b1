import { expect, test } from "bun:test";
import { OutsideProject } from "./package.ts";

test("the document's example runs in a project outside the workspace, from the packed library", () => {
  using project = new OutsideProject();
  project.unpack(project.pack());
  expect(project.run([process.execPath, "main.ts"])).toBe("The sun shines in Oslo.\n");
});
