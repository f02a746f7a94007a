import type { ExchangeState } from '../unit.ts';

/** The attributes of a translation, by version. A unit that keeps its source has none in XLIFF 1.2. */
export const statesOf12: Readonly<Record<Exclude<ExchangeState, 'kept'>, string>> = {
  machine: 'state="needs-review-translation" state-qualifier="mt-suggestion"',
  human: 'state="translated"',
  conflict: 'state="needs-adaptation"',
};

export const statesOf21: Readonly<Record<ExchangeState, string>> = {
  machine: 'state="translated" subState="bindery:machine"',
  human: 'state="reviewed"',
  kept: 'state="initial"',
  conflict: 'state="translated" subState="bindery:conflict"',
};
