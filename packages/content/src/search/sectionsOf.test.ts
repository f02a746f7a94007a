import { describe, expect, it } from 'vitest';
import { parseDocument } from '@bindery/dialect';
import { piecesOf, sectionsOf } from './sectionsOf.ts';

const sections = (markdown: string) => sectionsOf(piecesOf(parseDocument(markdown)));

describe('the sections of a document', () => {
  it('begin at its headings, with their anchors', () => {
    expect(sections('Before **it**.\n\n## One `code`\n\nText\nof one.\n\n### Two\n\n- a\n- b\n')).toEqual([
      { id: '', title: '', text: 'Before it.' },
      { id: 'one-code', title: 'One code', text: 'Text of one.' },
      { id: 'two', title: 'Two', text: 'a\nb' },
    ]);
  });

  it('contain the visible text of any block', () => {
    const [{ text } = { text: '' }] = sections(
      [
        '{% tabs %}\n{% tab title="Tab title" %}\nIn the tab.\n{% endtab %}\n{% endtabs %}',
        '{% code title="file.js" %}\n```js\nconst answer = 42;\n```\n{% endcode %}',
        '| Head | Second |\n|---|---|\n| cell | [link](https://hidden.example) |',
        '{% hint style="info" %}\nA hint.\n{% endhint %}',
        '<details><summary>Summary</summary>\n\nInside.\n\n</details>',
        '> Quoted.',
      ].join('\n\n'),
    );
    for (const shown of [
      'Tab title',
      'In the tab.',
      'file.js',
      'const answer = 42;',
      'Head',
      'cell',
      'link',
      'A hint.',
      'Summary',
      'Inside.',
      'Quoted.',
    ])
      expect(text).toContain(shown);
    expect(text).not.toContain('hidden.example');
  });

  it('are absent in an empty document', () => {
    expect(sections('')).toEqual([]);
  });
});
