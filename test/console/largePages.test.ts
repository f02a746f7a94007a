import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildRevision, buildSpace } from '../support/factories.ts';
import { bound } from '../support/machine.ts';

const it = base.extend('build', ({ organization }) => async (source: string) => {
  const space = await buildSpace(organization);
  await buildRevision(space, { pages: [{ id: 'page', title: 'Large', source }] });
  return `/spaces/${space._id}`;
});

const alertIn = (text: string) => /<p class="note problem" role="alert">([^<]*)<\/p>/.exec(text)?.[1] ?? '';

describe('a page that is too large to show', { timeout: bound(180_000) }, () => {
  it.for([
    ['elements', `# Large\n\n${'word\n\n'.repeat(31_000)}`, 'has more than 30000 elements'],
    ['characters', `# Large\n\n${`${'word '.repeat(1_000)}\n\n`.repeat(500)}`, 'is longer than 2000000'],
  ] as const)(
    'names the exceeded limit and the remedy: too many %s',
    async ([, source, problem], { atHome, build }) => {
      const space = await build(source);
      const { status, text } = await atHome.get(`${space}/pages/page`);
      expect(status).toBe(200);
      expect(alertIn(text)).toContain(problem);
      expect(alertIn(text)).toContain('Split it into several pages. Below is its Markdown.');
      expect(text).toContain('aria-label="Markdown of the page"');
      expect((await atHome.get(`${space}/pages/page?view=markdown`)).status).toBe(200);
    },
  );
});
