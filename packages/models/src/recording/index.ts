export { RecordingError } from "./error.ts";
export { type RecordingSink, type RecordModelOptions, recordModel } from "./record.ts";
export { type ReplayConnection, type ReplayModelOptions, replayModel } from "./replay.ts";
