// The `tui` section of config.json: how the terminal UI looks, and its keys. It belongs to the user alone.
import { z } from "zod";

/** `none`: no colour and no other style. */
export const TuiThemeSchema = z.enum(["dark", "light", "none"]);

/** What a key can be made to do. */
export const TuiActionSchema = z.enum([
  "submit",
  "newline",
  "queue",
  "cancel",
  "interrupt",
  "leave",
  "suspend",
  "complete",
  "alternate",
  "show_output",
  "paste_image",
  "up",
  "down",
  "page_up",
  "page_down",
  "left",
  "right",
  "word_left",
  "word_right",
  "line_start",
  "line_end",
  "delete_backward",
  "delete_forward",
  "delete_word",
  "delete_to_start",
  "delete_to_end",
  "yank",
  "undo_edit",
]);

const key = z.string().regex(/^((ctrl|alt|shift|super)\+)*([a-z][A-Za-z0-9]*|[!-~])$/, {
  error: "expected a key such as enter, ctrl+j, alt+left or f2",
});

export const TuiSettingsSchema = z.strictObject({
  theme: TuiThemeSchema.describe("Colours for a dark or a light background, or none. NO_COLOR wins."),
  plain: z.boolean().describe("Line by line, without redrawing: for screen readers."),
  keys: z
    .partialRecord(TuiActionSchema, z.array(key))
    .describe("Keys by what they do; they replace the usual ones, and an empty list takes them away."),
});

export const TuiConfigSchema = TuiSettingsSchema.partial();
