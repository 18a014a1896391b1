import { expect, test } from "bun:test";
import { quoteShipping } from "../src/rates.ts";

test("postage is base and weight with the fuel surcharge on both", () => {
  expect(quoteShipping({ zone: "domestic", grams: 1000, goods: 1500 })).toBe(470 + 34);
  expect(quoteShipping({ zone: "europe", grams: 1000, goods: 1500 })).toBe(1090 + 79);
});

test("a started kilogram counts as a full one", () => {
  const parcel = { zone: "europe", goods: 1500 } as const;
  expect(quoteShipping({ ...parcel, grams: 1001 })).toBe(quoteShipping({ ...parcel, grams: 2000 }));
});

test("only domestic postage is free for large orders", () => {
  expect(quoteShipping({ zone: "domestic", grams: 800, goods: 5999 })).toBeGreaterThan(0);
  expect(quoteShipping({ zone: "domestic", grams: 800, goods: 6000 })).toBe(0);
  expect(quoteShipping({ zone: "europe", grams: 800, goods: 6000 })).toBeGreaterThan(0);
});

test("a parcel without a proper weight or value is refused", () => {
  expect(() => quoteShipping({ zone: "europe", grams: 0, goods: 1500 })).toThrow("grams");
  expect(() => quoteShipping({ zone: "europe", grams: 800, goods: 14.99 })).toThrow("goods");
});
