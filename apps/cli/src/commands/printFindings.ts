/** A row of a doctor: what was looked at, and whether it needs a fix. */
export type Finding = { name: string; isGood: boolean; text: string; details?: readonly string[] };

/** Prints the rows of a doctor. @returns 0 when all are good, else 1 */
export function printFindings(findings: readonly Finding[]): number {
  for (const { name, isGood, text, details = [] } of findings) {
    console.log(`${isGood ? 'ok  ' : 'FIX '} ${name.padEnd(12)} ${text}`);
    for (const detail of details) console.log(`${' '.repeat(18)}${detail}`);
  }
  return findings.every(({ isGood }) => isGood) ? 0 : 1;
}
