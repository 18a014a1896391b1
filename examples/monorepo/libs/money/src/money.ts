/** A whole number of euro cents. */
export type Cents = number;

/** The fraction `numerator / denominator` of cents as whole cents. */
export function roundCents(numerator: number, denominator: number): Cents {
  assertInteger("numerator", numerator);
  assertInteger("denominator", denominator);
  if (denominator <= 0) throw new RangeError("denominator must be positive");

  const remainder = ((numerator % denominator) + denominator) % denominator;
  const floor = (numerator - remainder) / denominator;
  return 2 * remainder < denominator ? floor : floor + 1;
}

export function sumCents(amounts: Iterable<Cents>): Cents {
  let sum = 0;
  for (const amount of amounts) {
    assertInteger("amount", amount);
    sum += amount;
  }
  return sum;
}

/** For people to read: `€12.50`, `-€0.05`. */
export function formatCents(cents: Cents): string {
  assertInteger("cents", cents);
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}€${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function assertInteger(name: string, value: number): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${name} must be a whole number, not ${value}`);
}
