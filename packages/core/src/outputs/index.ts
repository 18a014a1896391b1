export {
  BoundedOutput,
  defaultOutputLimits,
  type FinishedOutput,
  type OutputLimits,
  type OutputStore,
  type StoredOutput,
} from "./bounded-output.ts";
