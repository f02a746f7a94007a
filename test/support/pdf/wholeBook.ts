import { readFile, readdir } from 'node:fs/promises';
import type { FileItem, ReusableContentItem } from '@bindery/content';
import type { BlobStore } from '@bindery/storage';
import { buildFile, buildReusableContent, type TestPage } from '../factories.ts';
import { seededRandom } from '../seededRandom.ts';

/** A page, and texts that its sheets must have in this order: headings, paragraphs, cells, lines of code. */
export type JudgedPage = TestPage & { id: string; title: string; says: string[]; pages?: JudgedPage[] };

const fixtures = new URL('../../fixtures/pages/', import.meta.url);

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="240" viewBox="0 0 600 240"><rect width="600" height="240" fill="#d8e8ff"/><circle cx="150" cy="120" r="80" fill="#0550ae"/><rect x="300" y="60" width="220" height="120" rx="16" fill="#1a7f37"/></svg>';

/**
 * The content of a book with every type of block and of script.
 *
 * @param plainPages  the number of pages in a deep tree behind the others, enough for several chunks
 */
export async function buildWholeBook({
  blobs,
  organization,
  plainPages,
}: {
  blobs: BlobStore;
  organization: string;
  plainPages: number;
}): Promise<{ pages: JudgedPage[]; files: FileItem[]; reusableContents: ReusableContentItem[] }> {
  const picture = await buildFile(blobs, organization, {
    name: 'drawing.svg',
    contentType: 'image/svg+xml',
    bytes: drawing,
  });
  const notice = await buildReusableContent(organization, {
    source: 'Shared words of the notice.\n\n* in a list\n',
  });
  const pages = [
    page('welcome', 'Welcome', [
      paragraph('Everything that a page can contain: see [the code](code.md) and [a deep page](deep-7.md).', [
        'Everything that a page can contain: see the code and a deep page.',
      ]),
    ]),
    group('blocks', 'Types of blocks', [
      ...(await fixturePages()),
      code(),
      tables(),
      nested(),
      pictures(picture.id, notice.id),
      formulas(),
    ]),
    group('scripts', 'Scripts', scripts()),
    group('edges', 'Edges', edges()),
    deepTree(plainPages),
  ];
  return { pages, files: [picture], reusableContents: [notice] };
}

function edges(): JudgedPage[] {
  const word = 'Donaudampfschifffahrt'.repeat(12);
  const address = `https://example.org/${'path/'.repeat(40)}`;
  return [
    page('empty', 'A page without text', []),
    page('long-title', veryLong, [paragraph('Text below a long title.')]),
    page('long-words', 'Long words', [
      paragraph(`A word ${word} and an address ${address} without a place to break.`),
    ]),
  ];
}

const veryLong = `A title ${'that goes on and on '.repeat(12)}until it ends`;

type Part = { markdown: string; says: string[] };

function paragraph(markdown: string, says = [markdown]): Part {
  return { markdown, says };
}

function heading(title: string): Part {
  return { markdown: `## ${title}`, says: [title] };
}

function page(id: string, title: string, parts: readonly Part[], pages: JudgedPage[] = []): JudgedPage {
  return {
    id,
    title,
    path: id,
    source: `${parts.map(({ markdown }) => markdown).join('\n\n')}\n`,
    says: [title, ...parts.flatMap(({ says }) => says)],
    pages,
  };
}

function group(id: string, title: string, pages: JudgedPage[]): JudgedPage {
  return { id, title, type: 'group', says: [title], pages };
}

async function fixturePages(): Promise<JudgedPage[]> {
  const names = (await readdir(fixtures)).toSorted();
  return Promise.all(
    names.map(async (name) => ({
      id: name.replace('.md', ''),
      title: `All of ${name}`,
      path: name.replace('.md', ''),
      source: await readFile(new URL(name, fixtures), 'utf8'),
      says: [`All of ${name}`, ...(textsOfFixtures[name] ?? [])],
    })),
  );
}

const textsOfFixtures: Readonly<Record<string, string[]>> = {
  'foreign.md': [
    'Written by hand',
    'deeper',
    'another list',
    'with more indentation',
    'print("tilde fence")',
    'x|y',
    'Markdown inside of HTML',
    'Cell with',
    'HTML item',
    'Heading of the fifth level',
    'numbered',
    'quoted in a list',
    'bold italic',
    'Says something.',
    'in two paragraphs',
  ],
  'malformed.md': [
    'Typographic quotes.',
    'Words in the tab.',
    'Kept as text.',
    'Text right below.',
    'All of it.',
    'Caption without a paragraph',
    'In a quote.',
    'In an item.',
  ],
  'normal-blocks.md': [
    'First heading',
    'Two lines',
    'Second heading',
    'A line in the middle',
    'More about two.',
    'let three = 3;',
    'with a quote in it',
    'const answer: number = 42;',
    'a.sh',
    'echo "hello"',
    'Take care.',
    'Words in the first.',
    'Begin',
    'There.',
    'Left',
    'Right',
    'What is new',
    'And its answer.',
    'For some only.',
    'Write a poem.',
    'What it shows',
    'The fourth.',
  ],
  'normal-inlines.md': ['Bold', 'gone', 'marked', 'Get started', '*stars*', 'What there is to say about it.'],
  'normal-tables.md': [
    'Name',
    'a | b',
    'second',
    'Rich',
    'Second <T>',
    'Task',
    'Points',
    'Open',
    'Fast',
    'Note',
  ],
};

function code(): JudgedPage {
  const random = seededRandom(3);
  const lines = Array.from(
    { length: 140 },
    (_, index) =>
      `${'  '.repeat(index % 4)}const value${index} = compute(${random.below(1_000)}, 'text ${index}'); // line ${index}`,
  );
  const wide = `SELECT ${Array.from({ length: 40 }, (_, index) => `column_${index}`).join(', ')} FROM a_table WHERE ${'x'.repeat(180)} = 1`;
  const languages: [string, string[]][] = [
    ['python', ['def greet(name: str) -> str:', '    """Says hello."""', "    return f'Hello {name}!'"]],
    ['json', ['{', '  "name": "bindery",', '  "count": 42', '}']],
    ['yaml', ['services:', '  api:', '    image: "example"  # the API']],
    ['diff', ['-const before = 1;', '+const after = 2;']],
    ['html', ['<p class="x">Words &amp; <b>more</b></p>']],
    ['rust', ['fn main() { println!("{}", 1); }']],
    ['', ['plain text: ↑ → ↓ ← ✓ ✗ ★ ☆ ● ■ ┌─┬─┐ │ │ │ └─┴─┘', '日本語のコメント 한국어 中文 😀']],
  ];
  return page('code', 'Code', [
    paragraph('Code comes in many languages.'),
    ...languages.map(([language, text]) => ({
      markdown: ['```' + language, ...text, '```'].join('\n'),
      says: text,
    })),
    heading('Long code'),
    {
      markdown: `{% code title="long.ts" lineNumbers="true" %}\n${['```ts', ...lines, '```'].join('\n')}\n{% endcode %}`,
      says: ['long.ts', ...lines],
    },
    heading('A wide line'),
    { markdown: ['```sql', wide, '```'].join('\n'), says: [wide] },
  ]);
}

function tables(): JudgedPage {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = (columns: number, rows: number, name: string): Part => {
    const cells = Array.from({ length: rows + 1 }, (_, y) =>
      Array.from({ length: columns }, (_cell, x) => `${name}${y === 0 ? 'head' : y}-${x + 1}`),
    );
    const [head = [], ...body] = cells;
    return {
      markdown: [row(head), row(head.map(() => '---')), ...body.map(row)].join('\n'),
      says: [...head, ...body.flat()],
    };
  };
  return page('tables', 'Tables', [
    paragraph('A small table:'),
    table(3, 4, 's'),
    heading('Long'),
    table(4, 70, 'l'),
    heading('Wide'),
    table(14, 5, 'wide'),
    paragraph('Text between the wide table and what follows.'),
    heading('Very wide'),
    table(30, 3, 'v'),
    paragraph('The end of the tables.'),
  ]);
}

function nested(): JudgedPage {
  const markdown = `{% tabs %}
{% tab title="Outer tab" %}
Words in the outer tab.

{% stepper %}
{% step %}
### Step in a tab

{% hint style="info" %}
A hint in a step in a tab.

\`\`\`sh
echo nested
\`\`\`
{% endhint %}
{% endstep %}

{% step %}
### Another step

1. First
2. Second
   * Inner one
   * Inner two
{% endstep %}
{% endstepper %}
{% endtab %}

{% tab title="Second tab" %}
| In | a tab |
| --- | --- |
| cell one | cell two |
{% endtab %}
{% endtabs %}

{% hint style="success" %}
A success.
{% endhint %}

{% hint style="danger" %}
A danger.
{% endhint %}

<details>

<summary>Closed</summary>

Inside of the expandable.

{% tabs %}
{% tab title="Tab in an expandable" %}
Deep words.
{% endtab %}
{% endtabs %}

</details>

{% openapi-operation spec="pets" path="/pets/{id}" method="get" %}
[OpenAPI pets](https://example.org/pets.yaml)
{% endopenapi-operation %}`;
  return page('nested', 'Nested blocks', [
    {
      markdown,
      says: [
        'Outer tab',
        'Words in the outer tab.',
        'Step in a tab',
        'A hint in a step in a tab.',
        'echo nested',
        'Another step',
        'First',
        'Second',
        'Inner one',
        'Inner two',
        'Second tab',
        'cell one',
        'cell two',
        'A success.',
        'A danger.',
        'Closed',
        'Inside of the expandable.',
        'Tab in an expandable',
        'Deep words.',
        '/pets/{id}',
      ],
    },
  ]);
}

function pictures(id: string, reusableContent: string): JudgedPage {
  return page('pictures', 'Pictures and notes', [
    {
      markdown: `<figure><img src="/files/${id}" alt="A drawing"><figcaption><p>A caption below the drawing</p></figcaption></figure>`,
      says: ['A caption below the drawing'],
    },
    {
      markdown: `<div><figure><img src="/files/${id}" alt="One" width="200"><figcaption><p>Left one</p></figcaption></figure> <figure><img src="/files/${id}" alt="Two" width="200"><figcaption><p>Right one</p></figcaption></figure></div>`,
      says: ['Left one', 'Right one'],
    },
    paragraph(
      `A picture <img src="/files/${id}" alt="small" data-size="line"> in a line, and a note[^1] and another[^2].`,
      ['A picture', 'in a line, and a note'],
    ),
    {
      markdown: `{% include "/reusable-contents/${reusableContent}" %}`,
      says: ['Shared words of the notice.'],
    },
    paragraph('[^1]: The first note says this.\n\n[^2]: The second note says that.', [
      'The first note says this.',
      'The second note says that.',
    ]),
  ]);
}

function formulas(): JudgedPage {
  return page('formulas', 'Formulas', [
    paragraph('In a line $$e^{i\\pi} + 1 = 0$$ and as a block:', ['In a line', 'and as a block:']),
    paragraph('$$\n\\int_{-\\infty}^{\\infty} e^{-x^2} \\, dx = \\sqrt{\\pi}\n$$', []),
    paragraph(
      '$$\n\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\cdot \\vec{v} = \\frac{\\partial f}{\\partial x}\n$$',
      [],
    ),
    paragraph(
      '$$\n\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2} \\le \\left\\lbrace\\alpha, \\beta, \\Gamma\\right\\rbrace\n$$',
      [],
    ),
    paragraph('Behind the formulas.'),
  ]);
}

/** Texts in scripts of all kinds; veraPDF excepts the sequences of emoji. */
function scripts(): JudgedPage[] {
  return [
    page('arabic', 'مرحبا بالعالم', [
      paragraph(
        'هذا نص عربي طويل يكتب من اليمين إلى اليسار، وفيه كلمات كثيرة لا تنتهي عند السطر الأول بل تستمر إلى السطر الذي يليه.',
        ['هذا نص عربي', 'يكتب من اليمين إلى'],
      ),
      heading('عنوان'),
      {
        markdown:
          '* واحد\n* اثنان\n\n{% hint style="info" %}\nملاحظة مهمة.\n{% endhint %}\n\n| الاسم | العدد |\n| --- | --- |\n| تفاح | 12 |',
        says: ['واحد', 'اثنان'],
      },
    ]),
    page('hebrew', 'שלום עולם', [
      paragraph('זהו טקסט בעברית שנכתב מימין לשמאל, עם English באמצע ומספר 42.', [
        'זהו טקסט בעברית שנכתב מימין',
        'באמצע ומספר',
      ]),
    ]),
    page('japanese', '日本語のページ', [
      paragraph('吾輩は猫である。名前はまだ無い。**どこで生れたか**とんと見当がつかぬ。', [
        '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。',
      ]),
    ]),
    page('chinese', '中文页面', [
      paragraph('这是一个中文段落，用来测试字体。**骨**、直、角、刃、海。', [
        '这是一个中文段落，用来测试字体。骨、直、角、刃、海。',
      ]),
    ]),
    page('korean', '한국어 페이지', [paragraph('이것은 한국어 문단입니다. 글꼴을 시험합니다.')]),
    page('thai', 'ภาษาไทย', [paragraph('นี่คือข้อความภาษาไทยสำหรับทดสอบ', ['นี่คือข้อความภาษาไทย'])]),
    page('devanagari', 'हिन्दी', [paragraph('यह हिन्दी का एक वाक्य है।', ['यह'])]),
    page('european', 'Ελληνικά, Кириллица', [
      paragraph(
        'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Съешь же ещё этих мягких французских булок. Příliš žluťoučký kůň. Đặng Việt Nam.',
      ),
      paragraph(
        'Symbols: ← ↑ → ↓ ↔ ⇒ ✓ ✔ ✗ ✘ ★ ☆ ● ○ ■ □ ▲ ▼ ◆ ∀ ∃ ∈ ∑ √ ∞ ≠ ≤ ≥ ≈ ± × ÷ € £ ¥ © ® ™ § ¶ † ‡ … – — ‘ ’ “ ” « » ⌘ ⌥ ⇧ ⏎ ☐ ☑ ☒ ♥ ♪ ① ② ③.',
      ),
    ]),
    page('emoji', 'Emoji 🎉', [
      paragraph('Faces 😀 😎 🚀 ⚠️ ✅ ❌ 👍🏽 🇩🇪 👨‍👩‍👧‍👦 1️⃣ and text.', ['Faces', 'and text.']),
    ]),
  ];
}

/** Chains of pages, each below the one before. */
function deepTree(count: number): JudgedPage {
  const random = seededRandom(7);
  const words =
    'the book has many pages and each of them says something about its own subject in plain words'.split(' ');
  const sentence = () => `${Array.from({ length: 14 }, () => random.pick(words)).join(' ')}.`;
  const depth = 8;
  const make = (index: number, level: number): JudgedPage => {
    const parts = [
      paragraph(sentence()),
      heading(`Part of ${index}`),
      paragraph(sentence()),
      paragraph(`Next is [another](deep-${(index * 37) % count}.md#part-of-${(index * 37) % count}).`, [
        'Next is another.',
      ]),
    ];
    const isLast = level === depth || index + 1 >= count || (index + 1) % depth === 0;
    return page(`deep-${index}`, `Deep page ${index}`, parts, isLast ? [] : [make(index + 1, level + 1)]);
  };
  const chains: JudgedPage[] = [];
  for (let index = 0; index < count; index += depth) chains.push(make(index, 0));
  return group('deep', 'A deep tree', chains);
}
