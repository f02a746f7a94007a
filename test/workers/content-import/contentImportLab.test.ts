import { beforeAll, describe, expect, it } from 'vitest';
import { missingLab, runInLab } from '../../support/lab/runInLab.ts';

const missing = missingLab();
if (missing) console.warn(`Network lab not run: ${missing}`);

const expected: Record<string, string> = {
  'markdown http://pub.test/a.md': 'read A without 18',
  'website http://pub.test/docs/': 'read W without 9',
  'markdown http://127.0.0.1:3000/a.md': 'refused_address',
  'markdown http://169.254.169.254/latest/': 'refused_address',
  'zip http://[::1]/a.zip': 'refused_address',
  'docx http://[::ffff:127.0.0.1]/a.docx': 'refused_address',
  'markdown http://10.0.0.5/a.md': 'refused_address',
  'markdown http://meta.test/a.md': 'refused_address',
  'html http://mix.test/': 'refused_address',
  'html http://half.test/': 'refused_address',
  'website http://alias.test/': 'refused_address',
  'google-docs http://nat64.test/': 'refused_address',
  'markdown http://none.test/a.md': 'dns',
  'markdown file:///etc/passwd': 'bad_url',
  'markdown http://pub.test/to/http://127.0.0.1:3000/a.md': 'refused_address',
  'markdown http://pub.test/to/http://meta.test/a.md': 'refused_address',
  'markdown http://pub.test/to/file:///etc/passwd': 'bad_url',
};

describe.skipIf(missing)('an import of content, in a network with canaries', () => {
  let report: {
    outcomes: Record<string, string>;
    hits: Record<string, number>;
    touched: Record<string, number>;
  };

  beforeAll(async () => {
    report = (await runInLab(new URL('./contentImportLabCases.ts', import.meta.url), {
      args: [...Object.keys(expected), 'markdown http://flip.test/a.md'],
      timeoutMs: 150_000,
    })) as typeof report;
  }, 160_000);

  it('reads from public addresses only', () => {
    const { 'markdown http://flip.test/a.md': flipped, ...outcomes } = report.outcomes;
    expect(outcomes).toEqual(expected);
    // Which of its two addresses comes first is not ours to say; the closed one is refused either way.
    expect(flipped).toMatch(/^(?:read A without \d+|refused_address)$/);
  });

  it('reaches no canary', () => {
    expect(report.hits).toEqual({ '127.0.0.1': 0, '10.0.0.5': 0, '169.254.169.254': 0, '::1': 0 });
    expect(Object.values(report.touched).every((count) => count > 0)).toBe(true);
  });
});
