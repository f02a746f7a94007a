import { describe, expect } from 'vitest';
import { editContent, setFields } from '../../support/content/editContent.ts';
import { it } from '../../support/translation/translating.ts';

const guide = `# Guide

See [how to install](manual.md#installation), or [further down](#next-steps).

## Next steps

### API

Done.
`;
const manual =
  '# Installation\n\nText.\n\n## Installation\n\n{% hint style="info" %}\n## **Linux** only\n{% endhint %}\n';
const pages = [
  { id: 'guide', title: 'Guide', source: guide },
  { id: 'manual', title: 'Installation', source: manual },
];
const tag = (id: string) => `<a href="#${id}" id="${id}"></a>`;

describe('anchors of headings', { timeout: 120_000 }, () => {
  it('equal the anchors of the source, so that links work in each language', async ({
    translated,
    api,
    admin,
    call,
  }) => {
    const one = await translated(pages);
    const { text } = await one.page('guide');
    expect(text).toMatch(/\(manual\.md#installation\).*\(#next-steps\)/);
    expect(text).toMatch(/^## ⟦Ñéxť.*⟧ <a href="#next-steps" id="next-steps"><\/a>$/mu);

    const { _id: result } = await one.result();
    const get = async (path: string) => {
      const {
        status,
        body,
        text: answer,
      } = await api.call('GET', `/v1/spaces/${result}/${path}`, {
        token: admin.token,
      });
      expect(status, answer).toBe(200);
      return body;
    };
    const anchorsOf = async (page: string) => {
      const { document } = await get(`content/page/${page}?format=document`);
      return [...JSON.stringify(document).matchAll(/"meta":\{"id":"([^"]*)"\}/g)].map(([, id]) => id);
    };
    expect(await anchorsOf('guide')).toEqual(['next-steps', 'api']);
    expect(await anchorsOf('manual')).toEqual(['installation', 'linux-only']);

    const { body: segments } = await call('GET', `/${one.id}/segments`);
    expect(JSON.stringify(segments)).toMatch(/Next steps/);
    expect(JSON.stringify(segments)).not.toMatch(/next-steps/);
    const { text: file } = await call('GET', `/${one.id}/export?format=xliff-1.2`);
    expect(file).toMatch(/<source[^>]*>Next steps<\/source>/);
    expect(file).not.toMatch(/next-steps/);
  });

  it('stay when somebody edits the heading, and follow the source when it changes', async ({
    translated,
  }) => {
    const one = await translated(pages);
    const { text } = await one.page('guide');
    const edited = text
      .replace(/^## ⟦.*⟧/m, '## Próximos pasos')
      // Another heading moves, and loses its anchor.
      .replace(/^### .*$/m, '')
      .replace(/$/, '\n### Interfaz\n');
    await one.writeResult('guide', edited);
    const { asked } = await one.run();
    expect(asked).toEqual([]);
    const after = (await one.page('guide')).text;
    expect(after).toContain(`## Próximos pasos ${tag('next-steps')}\n`);
    expect(after).toContain('\n### Interfaz\n');

    await one.write('guide', guide.replace('# Guide', '# Guide\n\n## Next steps'));
    await one.run();
    const repeated = (await one.page('guide')).text;
    expect(repeated.match(/<a href="#next-steps(?:-1)?"/g)).toEqual([
      '<a href="#next-steps"',
      '<a href="#next-steps-1"',
    ]);
    await one.write('guide', guide.replace('Next steps', 'Last steps'));
    await one.run();
    expect((await one.page('guide')).text).toMatch(/^## ⟦.*⟧ <a href="#last-steps" id="last-steps">/m);
  });

  it('stay deleted when somebody deletes them', async ({ translated }) => {
    const one = await translated(pages);
    const { text } = await one.page('guide');
    await one.writeResult('guide', text.replace(` ${tag('next-steps')}`, ''));
    await one.write('guide', guide.replace('Done', 'All is done'));
    await one.run();
    expect((await one.page('guide')).text).not.toContain(tag('next-steps'));
  });

  it('stay on headings that repeat the page title when the page is renamed', async ({ translated }) => {
    const one = await translated(pages);
    const space = await one.result();
    await editContent(space, (edit) => setFields(edit, 'manual', { title: 'Instalación' }));
    await one.write('manual', manual.replace('Text', 'Words'));
    await one.run();
    const { item, text } = await one.page('manual');
    expect(item?.title).toBe('Instalación');
    expect(text).toContain(tag('installation'));
  });
});
