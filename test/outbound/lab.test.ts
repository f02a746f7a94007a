import { beforeAll, describe, expect, it } from 'vitest';
import { missingLab, runInLab } from '../support/lab/runInLab.ts';

const missing = missingLab();
if (missing) console.warn(`Network lab not run: ${missing}`);

const expected: Record<string, string> = {
  'http://pub.test/': 'ok page',
  'http://PUB.test.:8080/': 'ok page',
  'http://93.184.215.14/': 'ok page',
  'http://pub.test/to/http://other.test/': 'ok page',
  'http://loop.test/': 'refused_address',
  'http://loop.test:3000/': 'refused_address',
  'http://loop.test:3001/': 'refused_address',
  'https://loop.test/': 'refused_address',
  'http://zero.test/': 'refused_address',
  'http://meta.test/': 'refused_address',
  'http://alias.test/': 'refused_address',
  'http://mix.test/': 'refused_address',
  'http://many.test/': 'refused_address',
  'http://half.test/': 'refused_address',
  'http://six.test/': 'refused_address',
  'http://mapped.test/': 'refused_address',
  'http://nat64.test/': 'refused_address',
  'http://10.0.0.5/': 'refused_address',
  'http://127.0.0.1:8080/': 'refused_address',
  'http://[::1]/': 'refused_address',
  'http://localhost/': 'refused_address',
  'http://pub.test:22/': 'refused_address',
  'http://pub.test/to/http://meta.test/': 'refused_address',
  'http://pub.test/to/http://169.254.169.254/latest/meta-data/': 'refused_address',
  'http://pub.test/to/http://[::ffff:7f00:1]:8080/': 'refused_address',
  'http://pub.test/to/http://localhost:3000/': 'refused_address',
  'http://pub.test/to/http://mix.test/': 'refused_address',
  'http://pub.test/to/http://pub.test/to/http://10.0.0.5/': 'refused_address',
  'http://pub.test/to/file:///etc/passwd': 'bad_url',
  'http://none.test/': 'dns',
  'http://fail.test/': 'dns',
  'http://slow.test/': 'timeout',
};

describe.skipIf(missing)('in a separate network namespace', () => {
  type Outcomes = Record<string, string>;
  type Hits = Record<string, number>;
  let report: {
    outcomes: Outcomes;
    flips: string[];
    flipQueries: number;
    allowList: Outcomes;
    hits: Hits;
    touched: Hits;
  };

  beforeAll(async () => {
    report = (await runInLab(new URL('./labCases.ts', import.meta.url), {
      args: Object.keys(expected),
    })) as typeof report;
  }, 60_000);

  it('public names are reachable and everything else is refused', () =>
    expect(report.outcomes).toEqual(expected));

  it('a name that alternates between lookups is followed when public and refused otherwise', () => {
    expect(report.flipQueries).toBe(20);
    expect(report.flips).toEqual(['ok page', 'refused_address']);
  });

  it('the allow list opens its entries, but never metadata or our own services', () => {
    expect(report.allowList).toEqual({
      'exact address, by name': 'ok page',
      'exact address, literally': 'ok page',
      'exact name': 'ok page',
      'exact name, address written': 'refused_address',
      'exact, on a usual port that is not listed': 'refused_address',
      'another name on a listed port': 'refused_address',
      range: 'ok page',
      'range, on another port': 'refused_address',
      'metadata, listed': 'refused_address',
      'metadata, listed and literal': 'refused_address',
      'redirect to listed metadata': 'refused_address',
      'our own service, at the address of its name': 'refused_address',
      'our own service, literally': 'refused_address',
      'beside our own service': 'ok page',
    });
  });

  it('no canary server was reached', () => {
    expect(report.hits).toEqual({ '127.0.0.1': 0, '10.0.0.5': 0, '169.254.169.254': 0, '::1': 0 });
    expect(report.touched).toEqual({ '127.0.0.1': 4, '10.0.0.5': 4, '169.254.169.254': 4, '::1': 4 });
  });
});
