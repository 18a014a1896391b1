// What a run tells while it works.
import type { CompactionTrigger, ModelFailure, PermissionDecision, Usage } from "@codelia/shared-types";
import type { TextChange } from "../tools/index.ts";

export type AgentEvent =
  | { readonly type: "turn.started"; readonly turn: number }
  | { readonly type: "user.message"; readonly text: string; readonly steering: boolean }
  | { readonly type: "text.delta"; readonly text: string }
  | { readonly type: "reasoning.delta"; readonly text: string }
  /** Forget the text and reasoning of this turn; it comes anew after the delay. */
  | {
      readonly type: "turn.restarted";
      readonly attempt: number;
      readonly failure: ModelFailure;
      readonly delayMs: number;
    }
  | {
      readonly type: "tool.started";
      readonly callId: string;
      readonly tool: string;
      readonly title: string;
      /** The change that is made, as a diff, where the call is one. */
      readonly preview: string | undefined;
      readonly paths: readonly string[];
      readonly changes: readonly TextChange[];
    }
  | {
      readonly type: "permission.decided";
      readonly callId: string;
      readonly tool: string;
      readonly decision: PermissionDecision;
    }
  | {
      readonly type: "tool.finished";
      readonly callId: string;
      readonly tool: string;
      readonly title: string;
      readonly output: string;
      readonly isError: boolean;
      readonly durationMs: number;
    }
  /** The provider took the request without these images only: they are left out from now on. */
  | { readonly type: "images.refused"; readonly reason: string }
  | { readonly type: "compaction.started"; readonly trigger: CompactionTrigger; readonly tokens: number }
  /** The estimate of the next request afterwards. */
  | { readonly type: "compaction.finished"; readonly tokens: number }
  | { readonly type: "compaction.failed"; readonly reason: string }
  | {
      readonly type: "usage";
      readonly turn: number;
      readonly usage: Usage;
      readonly total: Usage;
      readonly costUsd: number | undefined;
    };

export type EmitEvent = (event: AgentEvent) => void;
