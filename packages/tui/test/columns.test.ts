import { expect, test } from "bun:test";
import { columns } from "../src/commands/columns.ts";
import { createStyle, themeFor, visibleWidth } from "../src/screen/index.ts";

const style = createStyle(themeFor({}, "none"));
const rows = [
  ["ctrl+w, alt+backspace, ctrl+backspace, alt+ctrl+backspace", "delete word"],
  ["/model", "which model answers, here or from now on everywhere"],
  ["  from the cache", ""],
];

test("in two columns both are wrapped, and nothing is cut off", () => {
  expect(columns(rows, 80, style)).toMatchInlineSnapshot(`
    [
      "  ctrl+w, alt+backspace,                delete word",
      "  ctrl+backspace, alt+ctrl+backspace",
      "  /model                                which model answers, here or from now on",
      "                                        everywhere",
      "    from the cache",
    ]
  `);
});

test("where there is no room for a second column, it stands below the first", () => {
  const lines = columns(rows, 40, style);
  expect(lines).toMatchInlineSnapshot(`
    [
      "  ctrl+w, alt+backspace, ctrl+backspace,",
      "  alt+ctrl+backspace",
      "      delete word",
      "  /model",
      "      which model answers, here or from",
      "      now on everywhere",
      "    from the cache",
    ]
  `);
  expect(lines.filter((line) => visibleWidth(line) > 40)).toEqual([]);
});
