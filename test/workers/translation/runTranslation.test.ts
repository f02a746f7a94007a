import { describe, expect } from 'vitest';
import { it } from '../../support/translation/translating.ts';

const guide = `---
description: How to begin
---

# Guide

Read **the first page** of [the manual](manual.md), then run \`npm start\`.

{% hint style="info" %}
A hint with 3 steps.
{% endhint %}

| Name | Meaning |
| ---- | ------- |
| one  | First   |
| two  | Second  |

\`\`\`sh
npm start
\`\`\`
`;

describe('a run of a translation', { timeout: 120_000 }, () => {
  it('translates texts, and keeps structure, ids, paths and links', async ({ translated }) => {
    const one = await translated([
      {
        ...{ id: 'guide', title: 'Guide', description: 'How to begin', source: guide },
        git: { oid: 'a'.repeat(40), path: 'docs/guide.md' },
      },
      { id: 'manual', title: 'Manual', source: 'All about it.\n' },
    ]);
    expect(one.first).toMatchObject({ state: 'succeeded', result: { engine: 'pseudo-locale' } });
    const { item, text } = await one.page('guide');
    // Where relative links start.
    expect(item).toMatchObject({ git: { path: 'docs/guide.md' } });
    expect(item).toMatchObject({ id: 'guide', slug: 'guide', title: '⟦Ğúíďé··⟧', path: 'guide' });
    expect(text).toContain('**ťĥé fíŕšť ṗáğé**'.replace('ṗ', 'p'));
    expect(text).toMatch(/\[[^\]]*\]\(manual\.md\)/);
    expect(text).toContain('{% hint style="info" %}');
    expect(text).toContain('```sh\nnpm start\n```');
    expect(text).toContain('`npm start`');
    expect(text).not.toContain('Second');
    expect(await one.show()).toMatchObject({
      status: 'completed',
      result: { revision: one.first.result.revision },
      stats: { runs: 1, latestPages: 2, totalPages: 2 },
    });
    expect((await one.result()).revision).toBe(one.first.result.revision);
  });

  it('sends the engine nothing without a change, and one text when one has changed', async ({
    translated,
  }) => {
    const blocks = Array.from({ length: 60 }, (_, index) => `Paragraph number ${index} of the page.`);
    const one = await translated([{ id: 'page', title: 'Page', source: `${blocks.join('\n\n')}\n` }]);
    const again = await one.run();
    expect(again).toMatchObject({ job: { state: 'succeeded', result: { unchanged: true } }, asked: [] });
    blocks[30] = 'Another paragraph.';
    await one.write('page', `${blocks.join('\n\n')}\n`);
    const changed = await one.run();
    expect(changed.asked).toEqual(['Another paragraph.']);
    expect((await one.page('page')).text).toContain('Áñóťĥéŕ');
    expect(await one.show()).toMatchObject({ stats: { runs: 3, latestPages: 1 } });
  });

  it('sends the engine nothing when only link targets and code have changed', async ({ translated }) => {
    const one = await translated([
      { id: 'page', title: 'Page', source: 'See [the manual](a.md) and `one`, now.\n' },
    ]);
    await one.write('page', 'See [the manual](b.md) and `two`, now.\n');
    const { asked } = await one.run();
    expect(asked).toEqual([]);
    expect((await one.page('page')).text).toMatch(/\(b\.md\).*`two`/);
  });

  it('changes links to the source into links to the result', async ({ translated }) => {
    const one = await translated([{ id: 'page', title: 'Page', source: 'Text.\n' }]);
    const { _id } = one.source;
    await one.write('page', `[Here](https://app.gitbook.com/s/${_id}/page#a), not in \`/s/${_id}\`.\n`);
    await one.run();
    const { _id: result } = await one.result();
    expect((await one.page('page')).text).toMatch(
      new RegExp(`https://app.gitbook.com/s/${result}/page#a.*\`/s/${_id}\``),
    );
  });

  it('keeps the source of a text whose translation is refused, and logs it', async ({
    translated,
    engine,
  }) => {
    engine.answer = (text) => (text.startsWith('Wrong') ? 'Look at https://evil.example <b>' : undefined);
    const one = await translated([{ id: 'page', title: 'Page', source: 'Wrong text.\n\nRight text.\n' }]);
    engine.answer = () => undefined;
    const { text } = await one.page('page');
    expect(text).toContain('Wrong text.');
    expect(text).toContain('Ŕíğĥť');
    expect(one.first.stats.kept).toBe(1);
    expect(one.first.log).toEqual([
      expect.objectContaining({ level: 'warning', message: expect.stringContaining('keeps its source') }),
    ]);
  });

  it('removes pages that the source no longer has', async ({ translated }) => {
    const { editContent } = await import('../../support/content/editContent.ts');
    const one = await translated([
      { id: 'stays', title: 'Stays', source: 'Text.\n' },
      { id: 'goes', title: 'Goes', source: 'Text.\n' },
    ]);
    await editContent(one.source, (edit) => edit.remove('goes'));
    await one.run();
    expect((await one.page('goes')).item).toBeUndefined();
    expect((await one.page('stays')).item).toBeDefined();
  });
});

describe('a manual edit', { timeout: 120_000 }, () => {
  const source = 'First text.\n\nSecond **bold** text.\n\nThird text.\n';
  const edited = async (one: { page(id: string): Promise<{ text: string }> }, from: RegExp, to: string) => {
    const { text } = await one.page('page');
    expect(text).toMatch(from);
    return text.replace(from, to);
  };

  it('of a text stays when other texts change, and moves with its source', async ({ translated }) => {
    const one = await translated([{ id: 'page', title: 'Page', source }]);
    await one.writeResult('page', await edited(one, /^⟦Šéçóñď.*$/m, 'Segundo texto en **negrita**.'));
    await one.write('page', 'New first text.\n\nThird text.\n\nSecond **bold** text.\n');
    const { asked } = await one.run();
    expect(asked).toEqual(['New first text.']);
    const { text } = await one.page('page');
    expect(text).toMatch(/^⟦Ñéŵ[^]*\n\n⟦Ťĥíŕď[^]*\n\nSegundo texto en \*\*negrita\*\*\.\n$/);
  });

  it('of a text stays when another engine translates', async ({ translated, engine }) => {
    const one = await translated([{ id: 'page', title: 'Page', source: source.replace('Second', 'Sixth') }]);
    await one.writeResult('page', await edited(one, /^⟦Šíxťĥ.*$/m, 'Sexto texto en **negrita**.'));
    engine.wrapped.version = 'next';
    const { asked } = await one.run();
    expect(asked).toEqual(['Page', 'First text.', 'Third text.']);
    expect((await one.page('page')).text).toContain('Sexto texto en **negrita**.');
  });

  it('of a title stays', async ({ translated }) => {
    const one = await translated([{ id: 'page', title: 'Page', source }]);
    await one.writeResult('page', await edited(one, /Ťĥíŕď/, 'Ťĥíŕď'), { title: 'La página' });
    await one.write('page', `${source}\nFourth text.\n`);
    await one.run();
    const { item, text } = await one.page('page');
    expect(item?.title).toBe('La página');
    expect(text).toContain('Fóúŕťĥ');
  });

  it('stays when it adds a paragraph or a page', async ({ translated }) => {
    const one = await translated([{ id: 'page', title: 'Page', source }]);
    await one.writeResult('page', await edited(one, /\n\n⟦Ťĥíŕď/, '\n\nUn párrafo añadido.\n\n⟦Ťĥíŕď'));
    for (const more of ['Fourth', 'Fifth']) {
      await one.write('page', `${source}\n${more} text.\n`);
      await one.run();
      expect((await one.page('page')).text).toMatch(/\n\nUn párrafo añadido\.\n\n⟦Ťĥíŕď/);
    }
  });

  it('is replaced by a new translation when its source changes, and the job logs it', async ({
    translated,
  }) => {
    const own = source.replace('Second', 'Secondary');
    const one = await translated([{ id: 'page', title: 'Page', source: own }]);
    await one.writeResult('page', await edited(one, /^⟦Šéçóñď.*$/m, 'Segundo texto en **negrita**.'));
    await one.write('page', own.replace('Secondary', 'Other'));
    const { job } = await one.run();
    expect((await one.page('page')).text).toContain('Óťĥéŕ');
    expect(job.log).toEqual([
      expect.objectContaining({ message: expect.stringContaining('edited by hand has changed') }),
    ]);
    // It comes back with its source.
    await one.write('page', own);
    expect((await one.run()).asked).toEqual([]);
    expect((await one.page('page')).text).toContain('Segundo texto en **negrita**.');
  });
});
