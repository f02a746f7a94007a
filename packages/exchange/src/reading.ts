import type { ExchangeLimits } from './limits.ts';
import type { ExchangePair, ExchangeUnit } from './unit.ts';

/** A unit, and the line of its tag. Without a target, nobody has translated it. */
export type ReadUnit = ExchangeUnit & { line: number };
/** A unit that cannot be read. Its id is empty if it has none. */
export type UnitProblem = { id: string; line: number; problem: string };

/** The input of a format's reader, and the callback for each unit. */
export type Reading = {
  pair: ExchangePair;
  limits: ExchangeLimits;
  found(unit: ReadUnit | UnitProblem): void;
};
