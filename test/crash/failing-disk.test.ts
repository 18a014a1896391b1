// A disk that is full, broken or out of handles, from any call on; `npm run test:crash` takes every call for all of them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { problemsWithFault } from "./failing-disk.ts";

const patience = 15 * 60_000;
const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeAll(() => {
  process.on("unhandledRejection", note);
});

afterAll(() => {
  process.off("unhandledRejection", note);
});

test.each([
  ["full from any call on", { code: "ENOSPC", lasts: true }, 1],
  ["refused for a moment at some calls", { code: "EIO", lasts: false }, 7],
  ["out of handles from some calls on", { code: "EMFILE", lasts: true }, 7],
] as const)(
  "a disk that is %s gives a clear error, and a session that can be resumed",
  async (_name, fault, step) => {
    expect(await problemsWithFault(fault, step)).toEqual([]);
    expect(unhandled).toEqual([]);
  },
  patience,
);
