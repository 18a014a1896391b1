// Methods, and what both ends of a call hold. Types only: the schemas are in groups/.
import type { z } from "zod";
import type { ProtocolEvent } from "./event.ts";
import type { FlowEvent } from "./flows.ts";
import type { methods } from "./groups/index.ts";
import type { RunEvent } from "./run.ts";
import type { Ask } from "./ui.ts";

export type Method = keyof typeof methods;
export type Params<M extends Method> = z.infer<(typeof methods)[M]["params"]>;
export type Result<M extends Method> = z.infer<(typeof methods)[M]["result"]>;

/** What the caller of a method can be told and asked while it works. */
export interface Channel {
  readonly emit: (event: ProtocolEvent) => void;
  /** Absent, these three: there is nobody to ask. */
  readonly confirm: Ask<"ui.confirm"> | undefined;
  readonly pick?: Ask<"ui.pick"> | undefined;
  readonly prompt?: Ask<"ui.prompt"> | undefined;
  /** Aborted when the caller wants no more of it, or is gone. What runs for long ends then, and says so in its result. */
  readonly signal?: AbortSignal | undefined;
  /** Returns when the caller has taken enough of what it was told. Absent: it takes everything at once. */
  readonly room?: ((signal?: AbortSignal) => Promise<void>) | undefined;
}

/** What the runtime offers: a function a method. Failures are thrown as ProtocolError. */
export type Handlers = {
  readonly [M in Method]: (params: Params<M>, channel: Channel) => Promise<Result<M>>;
};

/** Flows tell of themselves, every other method of a run. */
export type EventOf<M extends Method> = M extends "flow.start" | "flow.resume" ? FlowEvent : RunEvent;

/** A caller's end of a channel: what it does not give is not told or asked. */
export interface CallChannel<M extends Method> extends Partial<Omit<Channel, "emit">> {
  readonly emit?: (event: EventOf<M>) => void;
}

/** What a face holds. */
export interface Client {
  call<M extends Method>(method: M, params: Params<M>, channel?: CallChannel<M>): Promise<Result<M>>;
}
