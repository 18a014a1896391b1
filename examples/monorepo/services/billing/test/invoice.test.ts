import { expect, test } from "bun:test";
import { createInvoice, creditNote, type InvoiceLine } from "../src/invoice.ts";

const lamp: InvoiceLine = { sku: "lamp", quantity: 1, unitPrice: 3990, taxRate: 2000 };
const booklet: InvoiceLine = { sku: "booklet", quantity: 1, unitPrice: 250, taxRate: 500 };

test("the total is the subtotal and its tax", () => {
  const invoice = createInvoice("2031-001", [{ ...lamp, quantity: 2 }]);
  expect(invoice).toMatchObject({ subtotal: 7980, tax: 1596, total: 9576 });
});

test("tax is rounded once per rate and not line by line", () => {
  const leaflet: InvoiceLine = { sku: "leaflet", quantity: 1, unitPrice: 105, taxRate: 500 };
  const invoice = createInvoice("2031-002", [leaflet, lamp, leaflet, leaflet]);
  expect(invoice).toMatchObject({ subtotal: 4305, tax: 16 + 798, total: 5119 });
});

test("tax that ends in exactly half a cent goes to the even cent", () => {
  expect(createInvoice("2031-003", [{ ...booklet, unitPrice: 270 }]).tax).toBe(14);
  expect(createInvoice("2031-004", [booklet]).tax).toBe(12);
});

test("a credit note takes back exactly what was charged", () => {
  const invoice = createInvoice("2031-005", [lamp, booklet]);
  const note = creditNote("2031-006", invoice);
  expect(note.invoiceNumber).toBe("2031-005");
  expect(note.subtotal + invoice.subtotal).toBe(0);
  expect(note.tax + invoice.tax).toBe(0);
  expect(note.total + invoice.total).toBe(0);
});

test("a line that cannot be charged is refused by name", () => {
  expect(() => createInvoice("2031-007", [])).toThrow("lines must not be empty");
  expect(() => createInvoice("2031-007", [{ ...lamp, quantity: 0 }])).toThrow("quantity of lamp");
  expect(() => createInvoice("2031-007", [{ ...lamp, unitPrice: 39.9 }])).toThrow("unitPrice of lamp");
  expect(() => createInvoice("2031-007", [{ ...lamp, taxRate: 0.2 }])).toThrow("taxRate of lamp");
});
