import { expect } from 'vitest';
import { buildSpace } from '../../support/factories.ts';
import { itWithGit as base } from '../../support/git/gitWorker.ts';

// A repository with links that are known to be broken, imported as any other.

const files = {
  '.gitbook.yaml': 'root: ./docs/\n',
  'docs/SUMMARY.md': `# Table of contents

* [Home](README.md)
* [Setup](setup/README.md)
  * [With under\\_score](setup/with\\_under.md)
  * [Space](<setup/a page.md>)
* [Missing](missing/page.md)
* [Elsewhere](https://example.org/elsewhere)
* [Part](setup/README.md#install)
`,
  'docs/README.md': `# Home

Good: [a](setup/README.md), [b](setup), [c](/setup/with_under.md), [d](setup/a%20page.md), [e](setup/with\\_under.md#top "title"), [f](./).

Broken: [g](setup/none.md), [h](unlisted.md), [i](../README.md), [j](/broken/pages/AbCdEfGhIjKlMnOpQrSt), [k](broken-reference).

<figure><img src=".gitbook/assets/here (1).png" alt=""><figcaption></figcaption></figure>

![gone](.gitbook/assets/gone.png)

{% content-ref url="setup/" %}
[setup](setup/)
{% endcontent-ref %}

{% content-ref url="nowhere/" %}
[nowhere](nowhere/)
{% endcontent-ref %}

{% file src=".gitbook/assets/manual.pdf" %}

\`\`\`
[not a link](inside-code.md) {% file src="no.pdf" %}
\`\`\`

And \`[none](either.md)\`.
`,
  'docs/setup/README.md': `---
cover: ../.gitbook/assets/here (1).png
---

# Setup

## Install

[Up](../README.md) [broken here](../none/at/all.md) [same from here](none.md) [anchor](#install) [no anchor](#uninstall)

{% include "../../.gitbook/includes/note.md" %}

{% include "../../.gitbook/includes/gone.md" %}
`,
  'docs/setup/with_under.md':
    '# With under\\_score\n\n## Top\n\n<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>One</td><td><a href="README.md">README.md</a></td></tr><tr><td>Two</td><td><a href="/broken/spaces/ZyXwVuTsRqPoNmLkJiHg">x</a></td></tr></tbody></table>\n',
  'docs/setup/a page.md': '# Space\n\n| a | b |\n| - | - |\n| [x](with_under.md) | [y](table-gone.md) |\n',
  'docs/unlisted.md': '# Unlisted\n\n[never seen](never.md)\n',
  '.gitbook/includes/note.md':
    '---\ntitle: Note\n---\n\n[In the note](../../docs/setup/README.md) [gone from the note](../../docs/void.md)\n',
  'docs/.gitbook/assets/here (1).png': 'png',
  'docs/.gitbook/assets/manual.pdf': 'pdf',
};

const broken = [
  '../../.gitbook/includes/gone.md',
  '../../docs/void.md',
  '../README.md',
  '../none/at/all.md',
  '.gitbook/assets/gone.png',
  '/broken/pages/AbCdEfGhIjKlMnOpQrSt',
  '/broken/spaces/ZyXwVuTsRqPoNmLkJiHg',
  'Setup#uninstall',
  'broken-reference',
  'missing/page.md',
  'nowhere/',
  'setup/none.md',
  'table-gone.md',
  'unlisted.md',
];

type Item = {
  status: string;
  targetReference: {
    kind: string;
    url?: string;
    page?: { id: string; title: string };
    file?: { name: string };
    internalLocation?: { anchor: string };
  };
};

function named({ targetReference: { kind, url, page, file, internalLocation } }: Item): string {
  if (kind === 'page') return `${page?.title}${internalLocation ? `#${internalLocation.anchor}` : ''}`;
  return url ?? file?.name ?? kind;
}

const it = base
  .extend(
    'imported',
    { scope: 'file' },
    async ({ api, organization, admin, gitServer, worker: _imports }) => {
      const space = await buildSpace(organization);
      const { url } = await gitServer.createRepository('linked.git', files);
      const { headers } = await api.call('POST', `/v1/spaces/${space._id}/git/import`, {
        token: admin.token,
        json: { url, ref: 'refs/heads/main' },
      });
      const { body: job } = await api.call('GET', `/v1/jobs/${headers.get('x-job-id')}?wait=30`, {
        token: admin.token,
      });
      expect(job).toMatchObject({ state: 'succeeded' });
      return space;
    },
  )
  .extend('space', ({ imported }) => imported);

it('exactly the known broken links of a repository are reported', async ({ api, reader, space }) => {
  const { body } = await api.call('GET', `/v1/spaces/${space._id}/links?limit=1000`, { token: reader.token });
  const items = body.items as Item[];
  const found = items.filter(({ status }) => status === 'broken').map(named);
  // `setup/none.md` and `none.md` are one missing file.
  expect(found.toSorted()).toEqual(broken.toSorted());
  expect(body.stats).toEqual({ total: items.length, broken: { total: broken.length } });
  expect(items.filter(({ status }) => status === 'ok').map(named)).toEqual([
    'Setup',
    'With under_score',
    'Space',
    'With under_score#top',
    'Home',
    'here (1).png',
    'manual.pdf',
    'Setup#install',
    'reusable-content',
    'https://example.org/elsewhere',
  ]);
});

it('the backlinks of an imported page name every page that links to it', async ({ api, reader, space }) => {
  const { body } = await api.call('GET', `/v1/spaces/${space._id}/content/pages`, { token: reader.token });
  const setup = body.pages.find(({ title }: { title: string }) => title === 'Setup');
  const answer = await api.call('GET', `/v1/spaces/${space._id}/content/page/${setup.id}/backlinks`, {
    token: reader.token,
  });
  const places = answer.body.items.map(
    (location: { kind: string; page?: { title: string }; reusableContent?: { title: string } }) =>
      (location.page ?? location.reusableContent)?.title,
  );
  expect(new Set(places)).toEqual(new Set(['Home', 'Setup', 'With under_score', 'Part', 'Note']));
});
