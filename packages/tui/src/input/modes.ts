// What a terminal is asked to do while the program has it, and how it is given back.
const esc = "\u001b[";

/** Pastes come marked, and keys with modifiers are told apart where the terminal knows how. */
export const enterModes = `${esc}?2004h${esc}>1u`;

/** Takes all of it back; harmless where nothing was set. */
export const leaveModes = `${esc}<u${esc}?2004l${esc}?2026l${esc}0m${esc}?25h`;
