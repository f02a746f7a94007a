/** Writes and reads the files in which tools of translators exchange texts: TMX 1.4b, XLIFF 1.2 and 2.1. */
export { ExchangeError } from './exchangeError.ts';
export { type ExchangeLimits, exchangeLimits } from './limits.ts';
export type { ReadUnit, UnitProblem } from './reading.ts';
export { readUnits } from './readUnits.ts';
export { writeTmx } from './tmx/writeTmx.ts';
export type { ExchangePair, ExchangeState, ExchangeUnit } from './unit.ts';
export { writeXliff12 } from './xliff/writeXliff12.ts';
export { writeXliff21 } from './xliff/writeXliff21.ts';
export { withoutIllegalCharacters } from './xml/escapeXml.ts';
