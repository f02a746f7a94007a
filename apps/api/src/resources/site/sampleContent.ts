import { createHash } from 'node:crypto';
import { emptyContent, storeDocuments, type PageTree, type RevisionContent } from '@bindery/content';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { newId } from '@bindery/runtime';

type SamplePage = {
  title: string;
  slug: string;
  emoji?: string;
  description?: string;
  markdown?: string;
  pages?: SamplePage[];
};

/** Creates sample pages that show the features of content, for users to overwrite; stores their documents. */
export async function buildSampleContent({
  organization,
  title,
}: {
  organization: string;
  title: string;
}): Promise<RevisionContent> {
  const time = new Date().toISOString();
  const sources: { hash: string; source: ReturnType<typeof splitFrontmatter> }[] = [];
  const build = (
    { title, slug, emoji, description, markdown, pages = [] }: SamplePage,
    folder: string,
  ): PageTree => {
    const path = folder === '' ? slug : `${folder}/${slug}`;
    const common = {
      id: newId(),
      title,
      slug,
      path,
      createdAt: time,
      updatedAt: time,
      pages: pages.map((page) => build(page, path)),
    };
    if (markdown === undefined) return { ...common, type: 'group' };
    const bytes = Buffer.from(markdown);
    const document = createHash('sha256').update(bytes).digest('hex');
    sources.push({ hash: document, source: splitFrontmatter(bytes) });
    return {
      ...common,
      type: 'document',
      emoji: emoji || undefined,
      description: description || undefined,
      document,
    };
  };
  const pages = [{ ...welcome, title }, ...chapters].map((page) => build(page, ''));
  await storeDocuments(organization, sources);
  return { ...emptyContent, pages };
}

const welcome: SamplePage = {
  title: 'Welcome',
  slug: 'readme',
  emoji: '1f44b',
  description: 'What this documentation is about, and where to begin.',
  markdown: `Say in two sentences what your product does and for whom this documentation is.

{% hint style="info" %}
These pages are examples. Write over them, or remove them.
{% endhint %}

## Where to begin

* New here? Follow the [quickstart](getting-started/quickstart.md).
* Looking for a way to write something? See [what a page can hold](writing/blocks.md).
`,
};

const chapters: SamplePage[] = [
  {
    title: 'Getting started',
    slug: 'getting-started',
    pages: [
      {
        title: 'Quickstart',
        slug: 'quickstart',
        description: 'From nothing to a first result in five minutes.',
        markdown: `Take your reader by the hand: few steps, each with something to see at its end.

{% stepper %}
{% step %}
### Install

\`\`\`bash
npm install your-product
\`\`\`
{% endstep %}

{% step %}
### Start

\`\`\`bash
npx your-product start
\`\`\`
{% endstep %}

{% step %}
### Look

Open the address that was printed. Say here what your reader sees now.
{% endstep %}
{% endstepper %}
`,
      },
      {
        title: 'Core concepts',
        slug: 'core-concepts',
        description: 'The few words that everything else is built on.',
        markdown: `Explain the words that your readers meet everywhere, before they meet them.

| Word    | Meaning                                  |
| ------- | ---------------------------------------- |
| Project | What everything belongs to               |
| Member  | Somebody who works on a project          |
| Release | A state of the project that others use   |
`,
      },
    ],
  },
  {
    title: 'Writing',
    slug: 'writing',
    pages: [
      {
        title: 'What a page can hold',
        slug: 'blocks',
        markdown: `## Text

**Bold**, *italic*, \`code\`, ~~struck~~ and [links](../getting-started/quickstart.md).

- [x] a task that is done
- [ ] one that is not

> A quotation.

## Hints

{% hint style="warning" %}
What can go wrong, said before it does.
{% endhint %}

## Code

{% code title="hello.ts" %}
\`\`\`ts
console.log('Hello');
\`\`\`
{% endcode %}

## Tabs

{% tabs %}
{% tab title="macOS" %}
\`brew install your-product\`
{% endtab %}

{% tab title="Linux" %}
\`apt install your-product\`
{% endtab %}
{% endtabs %}

<details>

<summary>More, for those who want it</summary>

What only some readers need.

</details>
`,
      },
      {
        title: 'A page that works',
        slug: 'a-page-that-works',
        markdown: `1. One page answers one question. Its title is that question, or the answer in three words.
2. Begin with what most readers came for.
3. Show before you explain: an example first, its rules after.
4. Say what to do when it does not work.
`,
      },
    ],
  },
];
