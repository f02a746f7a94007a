import { JobError } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { createAddressRules } from './address.ts';
import { parseUrl } from './url.ts';

const lists = {
  allow: ['127.0.0.2:18080', 'localhost:18081', 'git.corp:2222'],
  refused: ['mongo:27017', 'api.corp:4000', '127.0.0.2:4000'],
};

function refusal(text: string, options?: { allowUserInfo?: boolean }): JobError | undefined {
  try {
    parseUrl(text, createAddressRules(lists), options);
  } catch (error) {
    if (error instanceof JobError) return error;
    throw error;
  }
  return undefined;
}

describe('the text of a URL', () => {
  it.each([
    ['https://example.com/a/b.git', 'https://example.com/a/b.git'],
    ['HTTPS://EXAMPLE.com:443/a#part', 'https://example.com/a'],
    ['http://example.com./a?b=c', 'http://example.com/a?b=c'],
    ['  https://example.com/ ', 'https://example.com/'],
    ['http://example.com:8080', 'http://example.com:8080/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['http://[2606:4700::1111]/', 'http://[2606:4700::1111]/'],
    ['http://127.0.0.2:18080/r.git', 'http://127.0.0.2:18080/r.git'],
    ['http://localhost:18081/', 'http://localhost:18081/'],
    ['http://git.corp:2222/', 'http://git.corp:2222/'],
    // The name may resolve to a listed address, which only connecting shows.
    ['http://demo.test:18080/', 'http://demo.test:18080/'],
  ])('passes and is normalized: %s', (text, normalized) => {
    expect(parseUrl(text, createAddressRules(lists)).href).toBe(normalized);
  });

  it.each([
    '',
    'example.com/a',
    '/etc/passwd',
    '//example.com/',
    'http://',
    'https://:443/',
    'http://example.com:0x50/',
    'http://example.com:99999/',
    'http://a b.example/',
    'http://1.2.3.4.5/',
    'http://256.1.1.1/',
    'http://[::1/',
    'http://[fe80::1%25eth0]/',
    'http::http://example.com/',
    'file:///etc/passwd',
    'ssh://git@example.com/r',
    'git@example.com:r',
    'git://example.com/r',
    'ftp://example.com/r',
    'ext::sh -c id',
    'data:text/plain,a',
    'javascript:alert(1)',
    'ws://example.com/',
    'https://example.com/a\nb',
    'https://exa\tmple.com/',
    'https://example.com/\u0000',
    `https://example.com/${'a'.repeat(2048)}`,
  ])('is invalid: %j', (text) => expect(refusal(text)?.code).toBe('bad_url'));

  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:18080/',
    'http://127.0.0.2:18081/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http:127.0.0.1/',
    'http:\\\\127.0.0.1\\',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.0.0.5/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://localhost/',
    'http://LOCALHOST:18080/',
    'http://localhost./',
    'http://a.localhost/',
    'http://example.com:0/',
    'http://example.com:22/',
    'http://example.com:6379/',
    'http://example.com:27017/',
    'http://example.com:10000/',
    'http://mongo:27017/',
    'http://api.corp:4000/',
    'http://127.0.0.2:4000/',
    'http://[::ffff:127.0.0.2]:4000/',
  ])('leads to a refused place: %s', (text) => expect(refusal(text)?.code).toBe('refused_address'));

  it('may contain a login only when the caller allows it', () => {
    expect(refusal('https://user:hunter2@example.com/r.git')?.code).toBe('bad_url');
    expect(refusal('https://user@example.com/r.git')?.code).toBe('bad_url');
    const url = parseUrl('https://user:hunter2@example.com/r.git', createAddressRules(lists), {
      allowUserInfo: true,
    });
    expect([url.username, url.password]).toEqual(['user', 'hunter2']);
    expect(refusal('https://user:hunter2@127.0.0.1/r.git', { allowUserInfo: true })?.code).toBe(
      'refused_address',
    );
  });

  it('is not in the refusal, which is the same for every address and port', () => {
    const texts = [
      'http://10.0.0.5:80/',
      'http://10.0.0.5:22/',
      'http://169.254.169.254/',
      'http://example.com:22/',
      'http://mongo:27017/',
    ].map((text) => {
      const error = refusal(text);
      return `${error?.message} ${error?.action}`;
    });
    expect(new Set(texts).size).toBe(1);
    expect(`${refusal('https://user:hunter2@example.com/')?.stack}`).not.toMatch(/hunter2|example/);
  });
});
