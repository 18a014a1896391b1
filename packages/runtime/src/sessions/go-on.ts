/** What an interrupted session is told when nothing else is to be said. */
export const goOn = "Go on where you were interrupted.";
