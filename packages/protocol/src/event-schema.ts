import { z } from "zod";
import { FlowEventSchema } from "./flows.ts";
import { RunEventSchema } from "./run.ts";

export const ProtocolEventSchema = z.union([RunEventSchema, FlowEventSchema]);
