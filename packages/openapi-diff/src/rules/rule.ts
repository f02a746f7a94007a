import type { Direction, Severity } from '../specificationDiff.ts';

/**
 * A rule: its severity unless a caller chooses another, and the message of its changes. `{place}` in a
 * message is the subject of the change, `{from}` and `{to}` are its old and new values.
 */
export type Rule = { severity: Severity; direction?: Direction; message: string };
