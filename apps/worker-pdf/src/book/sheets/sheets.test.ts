import { expect, it } from 'vitest';
import { cssText } from './cssText.ts';
import { htmlText } from './htmlText.ts';
import { linkOtherChunks } from './linkOtherChunks.ts';
import { runningTitleStyle } from './sheetStyle.ts';

it('writes any title as a CSS string that the title cannot end', () => {
  expect(cssText('Plain 1')).toBe('"Plain 1"');
  for (const title of ['"; } </style><script>', "'\\\n\0", 'Überschrift 漢字 🙂', '\uD800']) {
    expect(cssText(title)).toMatch(/^"(?:[A-Za-z0-9 ]|\\[0-9a-f]{1,6} )*"$/);
  }
  expect(runningTitleStyle([{ chapter: 3, title: 'x'.repeat(500) }], { pageSize: 'a4' })).toContain(
    `${'x'.repeat(90)}\\2026 "`,
  );
});

it('escapes text for HTML', () => {
  expect(htmlText('<a href="x">&\0\n')).toBe('&lt;a href=&quot;x&quot;&gt;&amp; ');
});

it('lets a link lead out of a chunk only if its anchor is not in the chunk', () => {
  expect(
    linkOtherChunks('<h1 id="a">A</h1><a href="#a">x</a><a href="#b">y</a><a href="https://z.test/#c">z</a>'),
  ).toBe(
    '<h1 id="a">A</h1><a href="#a">x</a><a href="https://render.invalid/book#b">y</a><a href="https://z.test/#c">z</a>',
  );
});
