import { type Cents, roundCents } from "../../../libs/money/src/money.ts";

export type Zone = "domestic" | "europe";

export interface Parcel {
  readonly zone: Zone;
  readonly grams: number;
  /** What the goods in it cost, before tax. */
  readonly goods: Cents;
}

interface Rate {
  readonly base: Cents;
  readonly perKilogram: Cents;
  readonly freeFrom?: Cents;
}

const RATES: Readonly<Record<Zone, Rate>> = {
  domestic: { base: 390, perKilogram: 80, freeFrom: 6000 },
  europe: { base: 850, perKilogram: 240 },
};

/** In basis points. */
const FUEL_SURCHARGE = 725;

export function quoteShipping({ zone, grams, goods }: Parcel): Cents {
  if (!Number.isSafeInteger(grams) || grams < 1) {
    throw new RangeError(`grams must be a whole number from 1, not ${grams}`);
  }
  if (!Number.isSafeInteger(goods) || goods < 0) {
    throw new RangeError(`goods must be whole cents, not ${goods}`);
  }

  const { base, perKilogram, freeFrom } = RATES[zone];
  if (freeFrom !== undefined && goods >= freeFrom) return 0;
  const postage = base + Math.ceil(grams / 1000) * perKilogram;
  return postage + roundCents(postage * FUEL_SURCHARGE, 10_000);
}
