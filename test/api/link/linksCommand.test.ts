import { describe, expect } from 'vitest';
import { buildRevision } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { runBindery } from '../../support/stores/backupCommands.ts';

const it = base.extend('links', ({ api, reader }) => async (...args: string[]) => {
  const environment = { BINDERY_API_URL: api.origin, BINDERY_TOKEN: reader.token };
  return runBindery(['links', ...args], environment);
});

const setup = { id: 'setup', title: 'Setup', path: 'setup', source: '## Install\n\nWords.' };
const linking = (source: string) => ({ id: 'home', title: 'Home', path: 'home', source });

describe('bindery links', () => {
  it('reports the broken links of a space, with their pages', async ({ space, links }) => {
    await buildRevision(space, {
      pages: [linking('[a](gone.md) [b](setup.md#missing) [c](setup.md#install)'), setup],
    });
    expect(await links(space._id)).toEqual({
      code: 1,
      output: [
        '/home: error: gone.md does not exist (broken-link)',
        '/home: error: /setup#missing does not exist (broken-link)',
        '',
      ].join('\n'),
    });
    const { output } = await links(space._id, '--format', 'json');
    expect(JSON.parse(output)).toHaveLength(2);
  });

  it('finds all broken links, over several pages of results', async ({ space, links }) => {
    const many = Array.from({ length: 250 }, (_, index) => `[${index}](gone-${index}.md)`);
    await buildRevision(space, { pages: [linking(many.join(' '))] });
    expect((await links(space._id)).output.trim().split('\n')).toHaveLength(250);
  });

  it('succeeds for a space without broken links', async ({ space, links }) => {
    await buildRevision(space, { pages: [linking('[c](setup.md#install)'), setup] });
    expect(await links(space._id)).toEqual({ code: 0, output: '' });
  });

  it('reports wrong arguments', async ({ links }) => {
    expect(await links()).toMatchObject({
      code: 1,
      output: expect.stringContaining('needs the id of one space'),
    });
    expect(await links('nowhere')).toMatchObject({ code: 1, output: expect.stringContaining('nowhere') });
    expect(await links('a', '--format', 'xml')).toMatchObject({
      code: 1,
      output: expect.stringContaining('--format must be one of'),
    });
  });
});
