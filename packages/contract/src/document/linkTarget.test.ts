import { describe, expect, it } from 'vitest';
import { isSafeTarget, isWebTarget, leadsOutside, schemeOf } from './linkTarget.ts';

const safe = [
  ...[
    'https://example.org/a?b=c#d',
    'HTTP://EXAMPLE.ORG',
    'mailto:me@example.org',
    'tel:+4912345',
    '//example.org/a',
    '/\\example.org',
  ],
  ...[
    'guide.md',
    '../a/b.md#part',
    '#part',
    '',
    '/pages/abc',
    '/files/abc',
    'broken-reference',
    '/broken/pages/abc',
    '?a=b:c',
    'a/b:c.md',
  ],
  ...[
    'Chapter 1: start.md',
    'a%3Ab.md',
    './data:x.md',
    'javascript',
    'javascript.md',
    'docs/javascript:void',
    '12:30.md',
    'a&amp;b.md',
  ],
];

const unsafe = [
  ...[
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    '\u0000\u0001javascript:alert(1)',
    'java\nscript:alert(1)',
  ],
  ...[
    'java\tscript:alert(1)',
    'javascript\r\n:alert(1)',
    'java\u0000script:alert(1)',
    'java\u00adscript:alert(1)',
    'java\u200bscript:x',
  ],
  ...[
    '\u00a0javascript:alert(1)',
    '\ufeffjavascript:alert(1)',
    'javascript&colon;alert(1)',
    'javascript&#58;alert(1)',
    'java&Tab;script:x',
  ],
  ...[
    '&#106;avascript:alert(1)',
    '&#x6A;avascript&#x3a;alert(1)',
    'javascript\\:alert(1)',
    'java\\script:x',
    'ｊavascript：alert(1)',
  ],
  ...[
    'vbscript:x',
    'data:text/html,<script>x</script>',
    'DATA:text/html;base64,AAAA',
    'data:image/svg+xml,<svg/>',
    'data:image/png;base64,AA',
  ],
  ...[
    'file:///etc/passwd',
    'blob:https://example.org/1',
    'view-source:https://example.org',
    'intent://x#Intent;end',
    'ms-msdt:/id',
    'x-y.z+1:a',
  ],
];

describe('safe targets', () => {
  it('have no scheme, or one that opens a page, an e-mail or a call', () => {
    expect(safe.filter((target) => !isSafeTarget(target))).toEqual([]);
    expect(safe.filter((target) => !isSafeTarget(target, 'picture'))).toEqual([]);
  });

  it('have no scheme that runs code, however it is spelled', () => {
    expect(unsafe.filter((target) => isSafeTarget(target))).toEqual([]);
  });

  it('include embedded pictures, except in formats that can contain scripts', () => {
    expect(unsafe.filter((target) => isSafeTarget(target, 'picture'))).toEqual(['data:image/png;base64,AA']);
    expect(isSafeTarget(' da\nta:image/webp,x', 'picture')).toBe(true);
  });

  it('are recognized in linear time', () => {
    for (const part of ['&#9;', '\u0000', 'java\n', '\\', '&#x', '&colon', 'a+.-']) {
      const began = performance.now();
      isSafeTarget(part.repeat(1_000_000 / part.length));
      expect([part, performance.now() - began < 1000]).toEqual([part, true]);
    }
  });
});

describe('schemes', () => {
  it('are read as browsers read them', () => {
    expect([' \u0001Ht\ttps://x', 'mailto:x', 'a b:c', '//x', '#a:b', ''].map(schemeOf)).toEqual([
      ...['https', 'mailto', undefined, undefined, undefined, undefined],
    ]);
    expect(['https://x', 'HTTP:x', 'ftp://x', '//x', 'x'].map(isWebTarget)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(['https://x', 'x:y', '//x', '/x', 'x', '#x'].map(leadsOutside)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
