/** The commit up to which a history is known, and the tree of the project directory in it, if any. */
export type HistoryPoint = { commit: string; folder?: string };
