import { findDocument, loadReusableContents, markdownOf } from '@bindery/content';
import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { itImporting as base, png, readContent } from '../../support/content/contentImporting.ts';
import { docxOf } from '../../support/content/docxWriter.ts';
import { findLoggedJob } from '../../support/processes/loggedJob.ts';
import { zipOf } from '../../support/content/zipWriter.ts';

const it = base.extend('serveZip', ({ server }) => (files: Parameters<typeof zipOf>[0]) => {
  server.put('/a.zip', { type: 'application/zip', body: zipOf(files) });
  return `${server.origin}/a.zip`;
});

describe('an archive', () => {
  it('of folders becomes a tree of pages, Markdown and HTML alike', async ({
    api,
    organization,
    space,
    importInto,
    serveZip,
  }) => {
    const url = serveZip({
      'site-main/index.md':
        'Welcome to [the guide](guide/), [setup](guide/setup.html#top) and ![logo](img/logo.svg).\n',
      'site-main/guide/README.md': '# Guide\n\n[Up](../index.md) [Raw](../data.csv) [Gone](gone.md)\n',
      'site-main/guide/setup.html':
        '<html><head><title>Setup</title></head><body><h1>Setup</h1><p><a href="deep/more.htm">more</a></p></body></html>',
      'site-main/guide/deep/more.htm': '<p>More</p>',
      'site-main/img/logo.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" onload="alert(1)"><script>alert(1)</script><path d="M0 0"/><a href="javascript:x"><rect/></a><use href="https://evil.example/x.svg#a"/></svg>',
      'site-main/data.csv': 'a,b\n',
      'site-main/unused.bin': 'x',
      '__MACOSX/._x.md': 'junk',
      'site-main/.DS_Store': 'junk',
    });
    const { status, body } = await importInto(space, url, 'zip');
    expect([status, body]).toEqual([
      200,
      { revision: expect.any(String), importedResources: 7, totalResources: 7 },
    ]);
    const content = await readContent(space);
    expect(content.outline).toEqual([
      'document Space /readme',
      'document README /readme-1',
      'document Guide /guide',
      '  document deep /guide/deep',
      '    document more /guide/deep/more',
      '  document Setup /guide/setup',
    ]);
    const id = (title: string) => content.page(title).id;
    const file = (name: string) => content.files.find((one) => one.name === name);
    expect(content.files.map(({ name }) => name).toSorted()).toEqual(['data.csv', 'logo.svg']);
    expect(content.textOf('README')).toBe(
      `# README\n\nWelcome to [the guide](/pages/${id('Guide')}), [setup](/pages/${id('Setup')}#top) and ![logo](/files/${file('logo.svg')?.id}).\n`,
    );
    expect(content.textOf('Guide')).toBe(
      `# Guide\n\n[Up](/pages/${id('README')}) [Raw](/files/${file('data.csv')?.id}) [Gone](gone.md)\n`,
    );
    expect(content.textOf('Setup')).toBe(`# Setup\n\n[more](/pages/${id('more')})\n`);
    const drawing = await api.blobs.open(`${organization._id}:${file('logo.svg')?.blob}`);
    const text = Buffer.concat(await Array.fromAsync(drawing?.bytes ?? [])).toString();
    expect(text).toContain('<path d="M0 0"');
    expect(text).not.toMatch(/script|alert|onload|evil|javascript/);
  });

  it('with SUMMARY.md becomes the pages, groups and links of that file', async ({
    organization,
    space,
    importInto,
    serveZip,
  }) => {
    const url = serveZip({
      'SUMMARY.md':
        '# Summary\n\n* [Second](b.md "Short")\n\n## Group\n\n* [First](a.md)\n  * [Out](https://example.org/)\n',
      'a.md': '---\nicon: star\nhidden: true\n---\n# First\n\n![x](.gitbook/assets/x.png)\n',
      'b.md': 'No heading.\n\n{% include ".gitbook/includes/note.md" %}\n',
      'c.md': '# Not listed\n',
      '.gitbook/assets/x.png': png,
      '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nSee [first](../../a.md).\n',
      'd.md': 'x',
    });
    expect((await importInto(space, url, 'zip')).body).toMatchObject({ importedResources: 6 });
    const content = await readContent(space);
    expect(content.outline).toEqual([
      'document Space /readme',
      'document Second /second',
      'group Group /group',
      '  document First /group/first',
      '    link Out',
    ]);
    expect(content.page('First')).toMatchObject({ icon: 'star', hidden: true });
    expect(content.page('Second')).toMatchObject({ linkTitle: 'Short' });
    const [note, ...others] = await loadReusableContents(content.revision);
    expect([note?.title, others]).toEqual(['Note', []]);
    expect(content.textOf('Second')).toBe(
      `# Second\n\nNo heading.\n\n{% include "/reusable-contents/${note?.id}" %}\n`,
    );
    const source = await findDocument(organization._id, note?.document ?? '');
    expect(source && markdownOf(source)).toBe(`\nSee [first](/pages/${content.page('First').id}).\n`);
  });

  it('is added after the existing pages with unique slugs, and leaves these pages unchanged', async ({
    space,
    importInto,
    serveZip,
  }) => {
    const url = serveZip({ 'a.md': '# Same', 'b.md': '# Same' });
    await importInto(space, url, 'zip');
    const first = await readContent(space);
    await importInto(space, url, 'zip');
    const second = await readContent(space);
    expect(second.outline.slice(1)).toEqual([
      'document Same /same',
      'document Same /same-1',
      'document Same /same-2',
      'document Same /same-3',
    ]);
    expect(second.tree.slice(0, 3)).toEqual(first.tree);
    expect(second.revision.parents).toEqual([first.revision._id]);
  });
});

const ids = [
  '0123456789abcdef0123456789abcdef',
  'fedcba9876543210fedcba9876543210',
  '00112233445566778899aabbccddeeff',
  'ffeeddccbbaa99887766554433221100',
];

describe('an export of Notion', () => {
  it('loses the ids in its names and keeps the order of its links', async ({
    space,
    importInto,
    serveZip,
  }) => {
    const url = serveZip({
      [`Home ${ids[0]}.md`]: `# Home\n\n[Zed](Home%20${ids[0]}/Zed%20${ids[1]}.md)\n\n[Alpha](Home%20${ids[0]}/Alpha%20${ids[2]}.md)\n\n![i](Home%20${ids[0]}/i.png)\n\n[Tasks](Home%20${ids[0]}/Tasks%20${ids[3]}.csv)\n`,
      [`Home ${ids[0]}/Zed ${ids[1]}.md`]: '# Zed\n\nz\n',
      [`Home ${ids[0]}/Alpha ${ids[2]}.md`]: `# Alpha\n\n[up](../Home%20${ids[0]}.md)\n`,
      [`Home ${ids[0]}/i.png`]: png,
      [`Home ${ids[0]}/Tasks ${ids[3]}.csv`]: '\uFEFFName,Note\nOne,"a, | b\nc"\n',
      [`Home ${ids[0]}/Tasks ${ids[3]}/One ${ids[1]}.md`]: '# One\n',
    });
    const { status, body } = await importInto(space, url, 'notion');
    expect([status, body.importedResources]).toEqual([200, 6]);
    const content = await readContent(space);
    expect(content.outline.slice(1)).toEqual([
      'document Home /home',
      '  document Zed /home/zed',
      '  document Alpha /home/alpha',
      '  document Tasks /home/tasks',
      '    document One /home/tasks/one',
    ]);
    const id = (title: string) => content.page(title).id;
    expect(content.textOf('Home')).toBe(
      `# Home\n\n[Zed](/pages/${id('Zed')})\n\n[Alpha](/pages/${id('Alpha')})\n\n![i](/files/${content.files[0]?.id})\n\n[Tasks](/pages/${id('Tasks')})\n`,
    );
    expect(content.textOf('Alpha')).toContain(`[up](/pages/${id('Home')})`);
    expect(content.textOf('Tasks')).toBe(
      '# Tasks\n\n| Name | Note |\n| --- | --- |\n| One | a, \\| b<br>c |\n',
    );
  });
});

const logOf = async (space: { _id: string }) => {
  const job = await jobCollection().findOne({ 'subject.id': space._id });
  return (await findLoggedJob(job?._id ?? '')).log.map(({ message }) => message);
};

describe('an export of Notion in parts', () => {
  it('is read from the archives inside the outer archive', async ({ space, importInto, serveZip }) => {
    const part = (files: Parameters<typeof zipOf>[0]) => new Uint8Array(zipOf(files));
    const url = serveZip({
      'Export-1-Part-1.zip': part({
        [`Home ${ids[0]}.md`]: '# Home\n',
        [`Home ${ids[0]}/A ${ids[1]}.md`]: '# A\n',
      }),
      'Export-1-Part-2.zip': part({ [`Home ${ids[0]}/B ${ids[2]}.md`]: `# B\n\n[a](A%20${ids[1]}.md)\n` }),
    });
    expect((await importInto(space, url, 'notion')).status).toBe(200);
    const content = await readContent(space);
    expect(content.outline.slice(1)).toEqual([
      'document Home /home',
      '  document A /home/a',
      '  document B /home/b',
    ]);
    expect(content.textOf('B')).toContain(`[a](/pages/${content.page('A').id})`);
  });
});

describe('an export of Confluence', () => {
  it('keeps its pages when one of them nests thousands of elements', async ({
    space,
    importInto,
    serveZip,
  }) => {
    const page = (title: string, content: string) =>
      `<html><head><title>KB : ${title}</title></head><body><div id="main-content">${content}</div></body></html>`;
    const url = serveZip({
      'index.html': '<ul><li><a href="A.html">A</a></li><li><a href="B.html">B</a></li></ul>',
      'A.html': page('A', `${'<div>'.repeat(5_000)}deep words`),
      'B.html': page('B', '<p>Whole</p>'),
    });
    const { status, body } = await importInto(space, url, 'confluence');
    expect([status, body.importedResources]).toEqual([200, 2]);
    const content = await readContent(space);
    expect(content.textOf('A')).toContain('deep words');
    expect(content.textOf('B')).toBe('# B\n\nWhole\n');
    expect(await logOf(space)).toContainEqual(expect.stringContaining('nests its elements too deeply'));
  });

  it('has the tree of its index, and the titles of its pages', async ({ space, importInto, serveZip }) => {
    const page = (title: string, content: string, crumbs = '') =>
      `<html><head><title>KB : ${title}</title></head><body><div id="main-header"><ol id="breadcrumbs">${crumbs}</ol><h1 id="title-heading"><span id="title-text">KB : ${title}</span></h1></div><div id="main-content" class="wiki-content group">${content}</div><div class="pageSection"><h2 id="attachments">Attachments:</h2></div></body></html>`;
    const url = serveZip({
      'KB/index.html':
        '<html><body><h2>Available Pages:</h2><ul><li><a href="Home_1.html">Home</a><ul><li><a href="B_3.html">B</a></li><li><a href="A_2.html">A</a></li></ul></li></ul></body></html>',
      'KB/Home_1.html': page(
        'Home',
        '<h1>Section</h1><p><a href="A_2.html">A</a><img class="emoticon" src="images/x.svg" alt="(smile)"></p>',
      ),
      'KB/A_2.html': page(
        'A',
        '<div class="confluence-information-macro confluence-information-macro-note"><span class="aui-icon confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>Careful</p></div></div><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int a;</pre><p><img class="confluence-embedded-image" src="attachments/2/9.png"></p>',
      ),
      'KB/B_3.html': page(
        'B',
        '<ul class="inline-task-list"><li class="checked">Done</li><li>Open</li></ul><div class="expand-container"><div class="expand-control"><span class="expand-control-text">Show</span></div><div class="expand-content"><p>Hidden</p></div></div>',
      ),
      'KB/C_4.html': page(
        'C',
        '<p>Not in the index</p>',
        '<li><a href="index.html">KB</a></li><li><a href="A_2.html">A</a></li>',
      ),
      'KB/attachments/2/9.png': png,
      'KB/styles/site.css': 'body{}',
    });
    const { status, body } = await importInto(space, url, 'confluence');
    expect([status, body.importedResources]).toEqual([200, 5]);
    const content = await readContent(space);
    expect(content.outline.slice(1)).toEqual([
      'document Home /home',
      '  document B /home/b',
      '  document A /home/a',
      '    document C /home/a/c',
    ]);
    expect(content.textOf('Home')).toBe(
      `# Home\n\n# Section\n\n[A](/pages/${content.page('A').id})(smile)\n`,
    );
    expect(content.textOf('A')).toBe(
      `# A\n\n{% hint style="warning" %}\n\nCareful\n\n{% endhint %}\n\n\`\`\`java\nint a;\n\`\`\`\n\n![](/files/${content.files[0]?.id})\n`,
    );
    expect(content.textOf('B')).toBe(
      '# B\n\n* [x] Done\n* [ ] Open\n\n<details>\n\n<summary>Show</summary>\n\nHidden\n\n</details>\n',
    );
  });
});

describe('a Word document', () => {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

  it('becomes a page for each heading of level 1', async ({ space, server, importInto }) => {
    const body = docxOf(
      [
        { text: 'The book', style: 'Title' },
        { text: 'Before it begins, see ' },
        { text: 'chapter two', linkTo: '#two' },
        { text: 'One', style: 'heading 1' },
        { text: 'Text of one', image: true },
        { text: 'Part', style: 'heading 2' },
        { text: 'Two', style: 'heading 1', bookmark: 'two' },
        { text: 'site', linkTo: 'url' },
      ],
      { image: png },
    );
    server.put('/book.docx', { type, body });
    const answer = await importInto(space, `${server.origin}/book.docx`, 'docx');
    expect([answer.status, answer.body]).toEqual([
      200,
      { revision: expect.any(String), importedResources: 4, totalResources: 4 },
    ]);
    const content = await readContent(space);
    expect(content.outline.slice(1)).toEqual([
      'document The book /the-book',
      'document One /one',
      'document Two /two',
    ]);
    expect(content.textOf('The book')).toBe(
      `# The book\n\nBefore it begins, see\n\n[chapter two](/pages/${content.page('Two').id})\n`,
    );
    expect(content.textOf('One')).toBe(
      `# One\n\nText of one![A picture](/files/${content.files[0]?.id})\n\n## Part\n`,
    );
    expect(content.textOf('Two')).toBe('# Two\n\n[site](https://example.org/)\n');
  });

  it('is read from the export of a Google document', async ({ space, server, importInto }) => {
    server.put('/export', { type, body: docxOf([{ text: 'Only text' }]) });
    expect((await importInto(space, `${server.origin}/export`, 'google-docs')).status).toBe(200);
    expect((await readContent(space)).textOf('Document')).toBe('# Document\n\nOnly text\n');
  });

  it('does not load external images or files', async ({ space, canary, server, importInto }) => {
    for (const external of ['file:///etc/passwd', `${canary.origin}/x.png`, '../../../../etc/passwd']) {
      server.put('/x.docx', { type, body: docxOf([{ text: 'Text', image: true }], { external }) });
      const { status, text } = await importInto(space, `${server.origin}/x.docx`, 'docx');
      expect(text).not.toMatch(/passwd|root:/);
      if (status === 200) expect((await readContent(space)).files).toEqual([]);
    }
    expect(canary.requests).toEqual([]);
  });
});
