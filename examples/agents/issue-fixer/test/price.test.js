import assert from "node:assert/strict";
import { test } from "node:test";
import { discounted } from "../src/price.js";

test("a discount gives whole cents", () => {
  assert.equal(discounted(1000, 15), 850);
  assert.equal(discounted(999, 15), 849);
  assert.equal(discounted(50, 15), 43);
});

test("a discount that is no share of the price is refused", () => {
  assert.throws(() => discounted(1000, 101), RangeError);
  assert.throws(() => discounted(1000, -1), RangeError);
});
