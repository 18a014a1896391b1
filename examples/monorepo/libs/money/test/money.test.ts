import { expect, test } from "bun:test";
import { formatCents, roundCents, sumCents } from "../src/money.ts";

test("a whole number of cents stays as it is", () => {
  expect(roundCents(1200, 100)).toBe(12);
  expect(roundCents(-1200, 100)).toBe(-12);
  expect(roundCents(0, 100)).toBe(0);
});

test("a fraction goes to the nearest cent", () => {
  expect(roundCents(1249, 100)).toBe(12);
  expect(roundCents(1251, 100)).toBe(13);
});

test("a negative fraction goes to the nearest cent as well", () => {
  expect(roundCents(-1249, 100)).toBe(-12);
  expect(roundCents(-1251, 100)).toBe(-13);
});

test("rounding refuses fractions that are not made of whole numbers", () => {
  expect(() => roundCents(12.5, 1)).toThrow("numerator must be a whole number, not 12.5");
  expect(() => roundCents(1, 0)).toThrow("denominator must be positive");
});

test("a sum refuses an amount with part of a cent", () => {
  expect(sumCents([])).toBe(0);
  expect(sumCents([1250, -50])).toBe(1200);
  expect(() => sumCents([1250, 0.1])).toThrow(RangeError);
});

test("amounts are shown in euro with two decimals", () => {
  expect(formatCents(0)).toBe("€0.00");
  expect(formatCents(5)).toBe("€0.05");
  expect(formatCents(1250)).toBe("€12.50");
  expect(formatCents(-199)).toBe("-€1.99");
});
