import { expect, test } from "bun:test";
import { addItem, type Cart, cartLabel, removeItem, subtotal } from "../src/cart.ts";

const cart: Cart = [{ sku: "lamp", quantity: 1, unitPrice: 3990 }];

test("adding an article returns a new cart and leaves the old one alone", () => {
  expect(addItem(cart, "book", 1250)).toHaveLength(2);
  expect(cart).toHaveLength(1);
});

test("adding the same article again raises its quantity", () => {
  expect(addItem(cart, "lamp", 3990)).toEqual([{ sku: "lamp", quantity: 2, unitPrice: 3990 }]);
});

test("removing an article takes all pieces of it out", () => {
  expect(removeItem(addItem(cart, "lamp", 3990), "lamp")).toEqual([]);
});

test("the subtotal counts every piece", () => {
  expect(subtotal(addItem(addItem(cart, "lamp", 3990), "book", 1250))).toBe(9230);
});

test("the label fits none, one and many", () => {
  expect(cartLabel([])).toBe("Your cart is empty");
  expect(cartLabel(cart)).toBe("1 item, €39.90");
  expect(cartLabel(addItem(cart, "book", 1250))).toBe("2 items, €52.40");
});
