import { expect, it } from 'vitest';
import { editInMemory } from '../../../../../test/support/editInMemory.ts';
import { exportLab } from '../../../../../test/support/exportLab.ts';

it('gives a target above the repository more `../` on a page that moves further down', async () => {
  const lab = exportLab();
  const repository = {
    'SUMMARY.md': '* [Parts](parts/README.md)\n  * [One](parts/one.md)\n',
    'parts/README.md': '# Parts\n',
    'parts/one.md':
      '# One\n\n![](<../../.gitbook/assets/a b.png>) [two](../../parts/) [far](../../../LICENSE)\n',
    '.gitbook/assets/a b.png': 'picture',
    LICENSE: 'Free.\n',
  };
  const files = new Map(
    Object.entries(repository).map(([path, text]) => [path, Buffer.from(text) as Uint8Array]),
  );
  const synced = await lab.read(files);
  const [parts] = synced.pages;
  const into = parts?.type === 'document' ? (parts.pages[0]?.id as string) : '';
  const content = await editInMemory(
    synced,
    { operation: 'insert_page', title: 'New', into, document: { markdown: 'New.' } },
    lab.documents,
  );
  const after = lab.apply(await lab.plan(content, files, synced), files);
  expect(Buffer.from(after.get('parts/one/README.md') as Uint8Array).toString()).toBe(
    '# One\n\n![](<../../../.gitbook/assets/a b.png>) [two](../../../parts/) [far](../../../LICENSE)\n',
  );
});
