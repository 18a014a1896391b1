import { type Cents, formatCents, sumCents } from "../../../libs/money/src/money.ts";

export interface CartItem {
  readonly sku: string;
  readonly quantity: number;
  readonly unitPrice: Cents;
}

export type Cart = readonly CartItem[];

/** Adds one piece; a second piece of the same article raises its quantity. */
export function addItem(cart: Cart, sku: string, unitPrice: Cents): Cart {
  if (!cart.some((item) => item.sku === sku)) return [...cart, { sku, quantity: 1, unitPrice }];
  return cart.map((item) => (item.sku === sku ? { ...item, quantity: item.quantity + 1 } : item));
}

export function removeItem(cart: Cart, sku: string): Cart {
  return cart.filter((item) => item.sku !== sku);
}

export function subtotal(cart: Cart): Cents {
  return sumCents(cart.map(({ quantity, unitPrice }) => quantity * unitPrice));
}

/** The line next to the cart icon. */
export function cartLabel(cart: Cart): string {
  const pieces = cart.reduce((count, item) => count + item.quantity, 0);
  if (pieces === 0) return "Your cart is empty";
  return `${pieces} ${pieces === 1 ? "item" : "items"}, ${formatCents(subtotal(cart))}`;
}
