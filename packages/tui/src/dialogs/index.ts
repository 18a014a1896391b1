export type { Dialog } from "./dialog.ts";
export { Picker, type PickerItem } from "./picker.ts";
export { type Answer, Question } from "./question.ts";
