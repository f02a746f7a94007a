import { describe, expect } from 'vitest';
import { buildFile, buildRevision, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const git = (path: string) => ({ git: { oid: path, path } });

const imported = `# Page

[a](../other.md#more) ![b](<../.gitbook/assets/a b.png>) [c](https://example.org/pages/x) [d](gone.md)

\`[e](../other.md)\`

{% content-ref url="../other.md" %}
[other.md](../other.md)
{% endcontent-ref %}
`;
const edited = `# Edited

[a](/pages/other#more) ![b](/files/picture) [c](/pages/gone) [d](/pages/own)

\`[e](/pages/other)\`
`;

const it = base
  .extend('space', async ({ api, organization }) => {
    const space = await buildSpace(organization);
    const picture = await buildFile(api.blobs, organization._id, {
      id: 'picture',
      name: 'a b.png',
      ...git('.gitbook/assets/a b.png'),
    });
    await buildRevision(space, {
      pages: [
        { id: 'imported', title: 'Page', path: 'in/page', source: imported, ...git('in/page.md') },
        { id: 'edited', title: 'Edited', path: 'in/edited', source: edited, ...git('in/edited.md') },
        { id: 'other', title: 'Other', path: 'other', ...git('other.md') },
        { id: 'own', title: 'Own', path: 'in/own' },
      ],
      files: [picture],
    });
    return space;
  })
  .extend(
    'body',
    ({ api, reader, space }) =>
      (id: string, query = '') =>
        api
          .call('GET', `/v1/spaces/${space._id}/content/page/${id}?format=markdown&${query}`, {
            token: reader.token,
          })
          .then((answer) => answer.body.markdown as string),
  );

describe('the Markdown of a page', () => {
  it('is returned as stored when its links are relative', async ({ body }) => {
    expect(await body('imported')).toBe(imported);
    expect(await body('imported', 'format.markdown.refs=relative&evaluated=true&dereferenced=true')).toBe(
      imported,
    );
  });

  it('has paths relative to the page in the place of ids', async ({ body }) => {
    expect(await body('edited')).toBe(
      edited
        .replace('(/pages/other#more)', '(../other.md#more)')
        .replace('/files/picture', '../.gitbook/assets/a%20b.png')
        .replace('(/pages/own)', '(own.md)'),
    );
  });

  it('has ids in the place of paths with stable references, and is otherwise unchanged', async ({
    api,
    reader,
    space,
    body,
  }) => {
    expect(await body('edited', 'format.markdown.refs=stable')).toBe(edited);
    expect(await body('imported', 'format.markdown.refs=stable')).toBe(
      imported
        .replace('[a](../other.md#more)', '[a](/pages/other#more)')
        .replace('<../.gitbook/assets/a b.png>', '/files/picture')
        .replace('url="../other.md"', 'url="/pages/other"')
        .replace('[other.md](../other.md)', '[other.md](/pages/other)'),
    );
    expect(
      (
        await api.call('GET', `/v1/spaces/${space._id}/content/page/edited?format.markdown.refs=short`, {
          token: reader.token,
        })
      ).body.error.details,
    ).toMatchObject([{ path: 'query.format.markdown.refs' }]);
  });
});
