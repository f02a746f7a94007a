import { expect, it } from 'vitest';
import { describeUrl } from './describeUrl.ts';

it.each([
  ['https://example.org', 'example.org', 'example.org'],
  ['https://example.org/getting-started/first_steps.html?x=1#y', 'first steps', 'example.org'],
  ['https://example.org/%E5%85%A5%E9%96%80/', '入門', 'example.org'],
  ['https://example.org/%FF', '%FF', 'example.org'],
  ['https://example.org/---', 'example.org', 'example.org'],
  ['broken link', 'broken link', ''],
  ['javascript:alert(1)', 'javascript:alert(1)', ''],
])('%s is shown as %j of %s', (url, title, site) => {
  expect(describeUrl(url)).toEqual({ title, site, type: 'link' });
});
