// Prices are in cents.

/** The price with this many percent taken off. */
export function discounted(cents, percent) {
  return cents - (cents * percent) / 100;
}
