/** Thrown when something is about to use a database that it cannot; the message says why, and what to do. */
export class UnusableDatabase extends Error {}
