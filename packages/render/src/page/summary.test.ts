import { afterAll, describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../test/support/render/renderMarkdown.ts';
import { createRenderer } from '../renderer.ts';

const renderer = createRenderer();
afterAll(async () => renderer.close());

async function summaryOf(
  markdown: string,
  claims: Record<string, unknown> = {},
): Promise<string | undefined> {
  const { summary } = await renderMarkdown(renderer, markdown, {
    page: { id: 'x', title: 'Title', description: 'Its description' },
    reader: { claims },
    medium: 'screen',
  });
  return summary;
}

const hint = '{% hint style="warning" %}\nTake care.\n{% endhint %}';
const conditional = '{% if visitor.claims.isBeta %}\nFor testers.\n{% endif %}';

describe('the summary of a page', () => {
  it.each([
    ['is its first paragraph', '# Start\n\nOne **bold** `word`.\n\nTwo.', 'One bold word.'],
    ['is text in one line', 'One<br>two  \nthree [four](https://example.org/)', 'One two three four'],
    ['is not code', '```sh\nnpm install\n```\n\nInstalls it.', 'Installs it.'],
    ['is not a hint before the text', `${hint}\n\nThe text.`, 'The text.'],
    ['is a hint without its label where there is no other text', hint, 'Take care.'],
    ['is not a picture', '![A picture](a.png)\n\n<figure><img src="b.png"></figure>\n\nAfter.', 'After.'],
    ['is not a picture that is elsewhere', '![Build](https://example.org/b.svg)\n\nAfter.', 'After.'],
    ['has formulas as TeX', 'The sum $$a+b$$ is\n\n$$\nc\n$$', 'The sum a+b is'],
    ['has no numbers of notes', 'One[^1] two.\n\n[^1]: A note.', 'One two.'],
    ['is text from right to left', 'مرحبا بالعالم', 'مرحبا بالعالم'],
    ['is an item of a list', '- One\n- Two', 'One'],
    ['is a cell of a table', '| Name |\n| --- |\n| Cell |', 'Cell'],
    ['is not there without text', '# Only[^1]\n\n```\ncode\n```\n\n[^1]: A note.', undefined],
    ['leaves out what its visitor does not see', `${conditional}\n\nFor all.`, 'For all.'],
  ])('%s', async (_name, markdown, summary) => {
    expect(await summaryOf(markdown)).toBe(summary);
  });

  it('includes conditional text that its visitor can see', async () => {
    expect(await summaryOf(`${conditional}\n\nFor all.`, { isBeta: true })).toBe('For testers.');
  });

  it.each([
    ['words', 'Some words of a long text. '.repeat(20), /^(?:Some words of a long text\. )+[^…]*\w…$/],
    ['Japanese words', '日本語の文章です。'.repeat(40), /^日[^…]*…$/],
    ['characters of a word that is too long', '👩‍👩‍👧'.repeat(60), /^(?:👩‍👩‍👧)+…$/u],
  ])('is cut between %s', async (_name, text, expected) => {
    const summary = (await summaryOf(text)) ?? '';
    expect(summary).toMatch(expected);
    expect(summary.length).toBeGreaterThan(130);
    expect(summary.length).toBeLessThanOrEqual(160);
    expect(text.startsWith(summary.slice(0, -1))).toBe(true);
  });
});
