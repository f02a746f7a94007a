import {
  findRevision,
  loadDocuments,
  loadFiles,
  loadReusableContents,
  markdownOf,
  openTree,
} from '@bindery/content';
import { Space, type ChangeRequestRecord, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { buildChangeRequest, buildRevision, buildSpace } from '../factories.ts';
import { editContent, setFields, storeSource } from './editContent.ts';

const blob = (character: string) => character.repeat(64);
const file = (id: string, name: string, character: string) => ({
  ...{ id, name, contentType: 'image/png', sizeBytes: 7 },
  blob: blob(character),
});
const link = (path: string) => ({ kind: 'url' as const, url: `https://example.org/${path}` });
const textOf = (second: string, description = 'Old') =>
  `---\ndescription: ${description}\n---\nOne.\n\n${second}\n\n- a\n- b\n- c\n- d\n`;

/** A space and a change request of it, which changed the same things of each kind differently. */
export async function buildConflictingContent(
  organization: OrganizationRecord,
): Promise<{ space: SpaceRecord; changeRequest: ChangeRequestRecord }> {
  const empty = await buildSpace(organization);
  const store = async (text: string) => storeSource(organization._id, text);
  const reusable = async (text: string, title: string) => ({
    id: 'shared',
    title,
    document: await store(text),
  });
  const gone = { id: 'gone', title: 'Gone', document: await store('Old.\n') };
  await buildRevision(empty, {
    pages: [
      { id: 'text', title: 'Text', description: 'Old', source: textOf('Two.') },
      { id: 'titled', title: 'Old', source: '# Old\n\nSame.\n' },
      { id: 'slug', title: 'Slug', slug: 'old' },
      { id: 'moved', title: 'Moved' },
      { id: 'left', title: 'Left' },
      { id: 'right', title: 'Right' },
      { id: 'link', title: 'Link', type: 'link', target: link('old') },
      { id: 'cut', title: 'Cut', source: 'Cut.\n', pages: [{ id: 'below', title: 'Below' }] },
      { id: 'kept', title: 'Kept', source: 'Kept.\n' },
    ],
    files: [file('file', 'a.png', '0'), file('dropped', 'b.png', '0')],
    reusableContents: [await reusable('Shared.\n', 'Shared'), gone],
    variables: [{ name: 'version', value: '1' }],
    redirects: [{ from: 'from', to: 'text' }],
  });
  const space = await Space.findById(empty._id).orFail().lean<SpaceRecord>();
  const changeRequest = await buildChangeRequest(space, { status: 'open' });
  for (const [place, name] of [
    [space, 'main'],
    [changeRequest, 'own'],
  ] as const) {
    const isMain = place === space;
    const document = await store(textOf(`Two of ${name}.`, name).replace(isMain ? '- a' : '- d', '- z'));
    const titled = await store(`# Of ${name}\n\nSame.\n`);
    const edited = await store(`Edited in ${name}.\n`);
    await editContent(
      place,
      (edit) => {
        setFields(edit, 'text', { document, description: name });
        setFields(edit, 'titled', { document: titled, title: `Of ${name}` });
        setFields(edit, 'slug', { slug: name, path: name });
        edit.move('moved', { into: isMain ? 'left' : 'right', at: 0 });
        setFields(edit, 'moved', { path: isMain ? 'left/moved' : 'right/moved' });
        setFields(edit, 'link', { target: link(name) });
        if (isMain) setFields(edit, 'below', { title: 'Below in main' });
        setFields(edit, isMain ? 'cut' : 'kept', { document: edited });
        edit.remove(isMain ? 'kept' : 'cut');
      },
      {
        files: [
          file('file', 'a.png', isMain ? '1' : '2'),
          ...(isMain ? [file('dropped', 'b.png', '1')] : []),
        ],
        reusableContents: [
          await reusable(`Shared by ${name}.\n`, `Shared by ${name}`),
          ...(isMain ? [] : [{ ...gone, title: 'Not gone' }]),
        ],
        variables: [{ name: 'version', value: name }],
        redirects: [{ from: 'from', to: name }],
      },
    );
  }
  return { space, changeRequest };
}

/** The content of a revision, as far as `buildConflictingContent` makes conflicts in it. */
export async function conflictingParts(space: string, revision: string): Promise<Record<string, unknown>> {
  const record = await findRevision(space, revision);
  if (!record) throw new Error(`The revision ${revision} is missing.`);
  const tree = await openTree(record.organization, record.pages);
  const read = async (hash: string | undefined) => {
    const source =
      hash === undefined ? undefined : (await loadDocuments(record.organization, [hash])).get(hash);
    return source && markdownOf(source);
  };
  const page = (id: string): Record<string, unknown> => ({ ...tree.page(id)?.page });
  const documentOf = (id: string) => page(id)['document'] as string | undefined;
  const [contents, files] = [await loadReusableContents(record), await loadFiles(record)];
  const shared = contents.find(({ id }) => id === 'shared');
  return {
    text: await read(documentOf('text')),
    description: page('text')['description'],
    title: page('titled')['title'],
    heading: (await read(documentOf('titled')))?.split('\n')[0],
    path: page('slug')['path'],
    movedInto: tree.page('moved')?.parent?.id,
    movedPath: page('moved')['path'],
    target: (page('link')['target'] as { url?: string } | undefined)?.url,
    cut: await read(documentOf('cut')),
    below: page('below')['title'],
    belowPath: page('below')['path'],
    kept: await read(documentOf('kept')),
    files: files.map(({ id, blob: bytes }) => `${id} ${bytes[0]}`),
    shared: [shared?.title, await read(shared?.document)],
    gone: contents.find(({ id }) => id === 'gone')?.title,
    variable: record.variables[0]?.value,
    redirect: record.redirects[0]?.to,
  };
}
