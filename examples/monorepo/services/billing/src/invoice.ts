import { type Cents, roundCents, sumCents } from "../../../libs/money/src/money.ts";

export interface InvoiceLine {
  readonly sku: string;
  readonly quantity: number;
  readonly unitPrice: Cents;
  /** In basis points: 500 is 5%. */
  readonly taxRate: number;
}

export interface Invoice {
  readonly number: string;
  readonly lines: readonly InvoiceLine[];
  readonly subtotal: Cents;
  readonly tax: Cents;
  readonly total: Cents;
}

export interface CreditNote {
  readonly number: string;
  readonly invoiceNumber: string;
  readonly subtotal: Cents;
  readonly tax: Cents;
  readonly total: Cents;
}

export function createInvoice(number: string, lines: readonly InvoiceLine[]): Invoice {
  if (lines.length === 0) throw new RangeError("lines must not be empty");
  for (const line of lines) checkLine(line);

  const netByRate = new Map<number, Cents>();
  for (const { quantity, unitPrice, taxRate } of lines) {
    netByRate.set(taxRate, (netByRate.get(taxRate) ?? 0) + quantity * unitPrice);
  }
  const subtotal = sumCents(netByRate.values());
  const tax = sumCents(Array.from(netByRate, ([rate, net]) => roundCents(net * rate, 10_000)));
  return { number, lines, subtotal, tax, total: subtotal + tax };
}

/** Takes back a whole invoice. */
export function creditNote(number: string, invoice: Invoice): CreditNote {
  return {
    number,
    invoiceNumber: invoice.number,
    subtotal: 0 - invoice.subtotal,
    tax: 0 - invoice.tax,
    total: 0 - invoice.total,
  };
}

function checkLine({ sku, quantity, unitPrice, taxRate }: InvoiceLine): void {
  if (!Number.isSafeInteger(quantity) || quantity < 1) {
    throw new RangeError(`quantity of ${sku} must be 1 or more, not ${quantity}`);
  }
  if (!Number.isSafeInteger(unitPrice) || unitPrice < 0) {
    throw new RangeError(`unitPrice of ${sku} must be whole cents, not ${unitPrice}`);
  }
  if (!Number.isSafeInteger(taxRate) || taxRate < 0) {
    throw new RangeError(`taxRate of ${sku} must be whole basis points, not ${taxRate}`);
  }
}
