import { describe, expect, it } from 'vitest';
import { missingLab, runInLab } from '../../support/lab/runInLab.ts';
import { findTestChromium } from '../../support/pdf/chromium.ts';

const missingMounts = missingLab();
if (missingMounts) console.warn(`Full temporary folder not tested: ${missingMounts}`);
const { executable, missing } = await findTestChromium();

describe.skipIf(missingMounts ?? missing)('Chromium in a full temporary folder', () => {
  it('fails a job for lack of space, not as a crash', { timeout: 120_000 }, async () => {
    const script = new URL('fullDiskCases.ts', import.meta.url);
    const found = await runInLab(script, { args: [executable], timeoutMs: 110_000 });
    expect(found).toEqual({ before: 'printed', full: 'no_space' });
  });
});
