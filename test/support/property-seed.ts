// Loaded before every test: property tests draw the same cases in every run, so that a red run can be seen again.
// CODELIA_PROPERTY_SEED=random looks for new ones; fast-check prints the seed of what it finds.
import { configureGlobal, readConfigureGlobal } from "fast-check";

const wanted = process.env.CODELIA_PROPERTY_SEED ?? "20261116";

if (wanted !== "random") {
  const seed = Number(wanted);
  if (!Number.isInteger(seed))
    throw new Error(`CODELIA_PROPERTY_SEED=${wanted}: give a whole number, or random`);
  configureGlobal({ ...readConfigureGlobal(), seed });
}
