import { beforeAll, describe, expect, it } from 'vitest';
import { missingLab, runInLab } from '../../support/lab/runInLab.ts';

const missing = missingLab();
if (missing) console.warn(`Network lab not run: ${missing}`);

const expected: Record<string, unknown> = {
  'http://pub.test/r.git': 'read Marker without evil,link,up.md',
  'http://127.0.0.1:3000/r.git': 'refused_address',
  'http://2130706433/r.git': 'refused_address',
  'http://0x7f.1/r.git': 'refused_address',
  'http://169.254.169.254/latest/r.git': 'refused_address',
  'http://[::1]/r.git': 'refused_address',
  'http://[::ffff:127.0.0.1]/r.git': 'refused_address',
  'http://[::ffff:7f00:1]/r.git': 'refused_address',
  'http://[::127.0.0.1]/r.git': 'refused_address',
  'http://10.0.0.5/r.git': 'refused_address',
  'http://meta.test/r.git': 'refused_address',
  'http://mix.test/r.git': 'refused_address',
  'http://alias.test/r.git': 'refused_address',
  'http://loop.test/r.git': 'refused_address',
  'http://zero.test/r.git': 'refused_address',
  'http://six.test/r.git': 'refused_address',
  'http://mapped.test/r.git': 'refused_address',
  'http://nat64.test/r.git': 'refused_address',
  'http://half.test/r.git': 'refused_address',
  // Fifty addresses, one of them private.
  'http://many.test/r.git': 'refused_address',
  'http://none.test/r.git': 'dns',
  'http://fail.test/r.git': 'dns',
  // The name server takes 20 seconds, and the resolver gives up before.
  'http://slow.test/r.git': 'dns',
  // Public when it is asked for first, then 127.0.0.1: it is read as long as the first connection lasts, and
  // never from there.
  'http://flip.test/r.git': expect.stringMatching(/^(read Marker without evil,link,up\.md|refused_address)$/),
  'http://http://127.0.0.1/r.git': 'dns',
  'http::http://127.0.0.1/r.git': 'bad_url',
  'file:///etc/passwd': 'bad_url',
  'ssh://git@pub.test/r.git': 'bad_url',
  'git://pub.test/r.git': 'bad_url',
  'http://pub.test/to/http://127.0.0.1:3000/r.git': 'redirect',
  'http://pub.test/to/http://meta.test/r.git': 'redirect',
  'http://pub.test/to/http://other.test/r.git': 'redirect',
};

describe.skipIf(missing)('an import, in a network with canaries', () => {
  let report: {
    outcomes: Record<string, string>;
    hits: Record<string, number>;
    touched: Record<string, number>;
  };

  beforeAll(async () => {
    report = (await runInLab(new URL('./importLabCases.ts', import.meta.url), {
      args: Object.keys(expected),
      timeoutMs: 90_000,
    })) as typeof report;
  }, 100_000);

  it('reads from public addresses only, and follows neither links nor submodules', () =>
    expect(report.outcomes).toEqual(expected));

  it('reaches no canary', () => {
    expect(report.hits).toEqual({ '127.0.0.1': 0, '10.0.0.5': 0, '169.254.169.254': 0, '::1': 0 });
    expect(Object.values(report.touched).every((count) => count > 0)).toBe(true);
  });
});
