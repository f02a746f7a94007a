import { describe, expect, it } from 'vitest';
import { missingLab, runInLab } from '../../support/lab/runInLab.ts';
import { findTestChromium } from '../../support/pdf/chromium.ts';

const missingNetwork = missingLab();
if (missingNetwork) console.warn(`Network lab not run: ${missingNetwork}`);
const { executable, missing } = await findTestChromium();

describe.skipIf(missingNetwork ?? missing)('a page that wants to reach a private address', () => {
  it('cannot reach it, even with only one layer of protection', { timeout: 300_000 }, async () => {
    const script = new URL('pdfLabCases.ts', import.meta.url);
    const found = await runInLab(script, { args: [executable], timeoutMs: 290_000 });
    expect(found).toEqual({
      canaries: true,
      withAll: { hits: 0, printed: expect.any(Number), outcomes: expect.any(Array) },
      withNone: expect.any(Number),
      withResolverRules: 0,
      withProxy: 0,
    });
    const { withAll, withNone } = found as {
      withAll: { printed: number; outcomes: string[] };
      withNone: number;
    };
    // On a busy machine not all pages have their turn.
    expect(withNone).toBeGreaterThan(10);
    // All but the pages that tried to go there.
    expect(withAll.printed).toBeGreaterThanOrEqual(20);
    expect(['bad_content']).toEqual(expect.arrayContaining(withAll.outcomes));
  });
});
