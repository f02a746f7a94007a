import { expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { hostnameProblem, normalizeHostname } from './customHostname.ts';

it.each([
  ['Docs.Example.COM', 'docs.example.com'],
  ['docs.bücher.example', 'docs.xn--bcher-kva.example'],
  ['文档.example.org', 'xn--7dvp7d.example.org'],
  ['a.b.c.d.example.org', 'a.b.c.d.example.org'],
])('%s is the hostname %s', (given, hostname) => {
  expect([normalizeHostname(given), hostnameProblem(normalizeHostname(given))]).toEqual([
    hostname,
    undefined,
  ]);
});

it.each([
  'example.com',
  'localhost',
  '*.example.com',
  '-docs.example.com',
  'docs.example.com.',
  'docs.example.com:8080',
  'https://docs.example.com',
  'docs.example.com/path',
  'docs..example.com',
  'docs%2eexample.com',
  'docs.example.com\0',
  '\ndocs.example.com',
  'me@docs.example.com',
  '192.168.10.10',
  '0x7f.0.0.0x10',
  '1.2.3.44',
  'docs.example.77',
  '[::1]',
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(126)}example`,
  '',
])('%j is not a custom hostname', (given) => {
  expect(hostnameProblem(normalizeHostname(given))).toBeDefined();
});

it('a very long name is refused at once', () => {
  const startedMs = performance.now();
  expect(hostnameProblem(normalizeHostname('a.'.repeat(60_000)))).toBeDefined();
  expect(performance.now() - startedMs).toBeLessThan(bound(200));
});
