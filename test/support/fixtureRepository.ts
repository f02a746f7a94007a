/** Files of a repository by path, from its root. */
export type FixtureFiles = Map<string, Uint8Array>;

/** The expected reading of the first variant: one line per entry of the navigation, indented by depth. */
export const expectedNavigation = [
  'page Fernhill Handbook | docs/README.md',
  'page What changed this year [News] | docs/whats-new.md',
  'group First steps',
  '  page Install | docs/start/install.md',
  '  page First garden | docs/start/first-garden/README.md',
  '    page Soil | docs/start/first-garden/soil.md',
  '      page Compost heap | docs/start/first-garden/soil-compost.md',
  '  page Naming_rules | docs/guides/naming_rules.md',
  '  page Tools & sheds | docs/guides/tools and sheds.md',
  '  page Beds and borders (1) | docs/guides/beds (1).md',
  'group Guides & more',
  '  page 温室 | docs/温室/概要.md',
  '  page Pépinière | docs/guides/pépinière.md',
  '  page Pruning | docs/guides/pruning.md',
  '  page Seasons | docs/guides/seasons/README.md',
  '    page Winter work | docs/guides/seasons/winter.md',
  '    link Mulch in winter',
  '    link Winter again',
  '  link A page that is gone',
  '  page Undertitled | docs/guides/no-heading.md',
  '  page Windows line ends | docs/guides/crlf.md',
  '  page With a byte order mark | docs/guides/bom.md',
  '  page Latin | docs/guides/latin1.md',
  '  page Underlined title | docs/guides/setext.md',
  '  page Marked up | docs/guides/inline.md',
  '  page Fenced | docs/guides/fenced.md',
  '  page Broken head | docs/guides/bad-frontmatter.md',
  '  page Empty file | docs/guides/empty.md',
  '  page Tools | docs/guides/Tools.md',
  '  page Other tools | docs/guides/tools.md',
  'group Elsewhere',
  '  link Community',
  '  link Neighbour space',
  '  link Price list',
  '  empty Notes without a page',
  '    page A note | docs/notes/a-note.md',
  '    page Prototype | docs/notes/__proto__.md',
  '    page Constructor | docs/notes/constructor.md',
  '  empty Only a label',
  'group API',
  '  page API reference | docs/api/README.md',
  '    computed fernhill-api',
  '  empty OpenAPI',
  'page Terms | docs/terms.md',
];

/**
 * A small handbook in the format, with the irregularities of real repositories. Its content root is `docs`.
 */
export function fixtureRepository(): FixtureFiles {
  return toFiles([
    ...shared,
    // The zero-width space is in this key when it is copied from a web page; the paths repeat the root.
    [
      '.gitbook.yaml',
      'root: ./docs/\n\n\u200Bstructure:\n  readme: docs/README.md\n  summary: docs/SUMMARY.md\n\nredirects:\n  old/install: start/install.md\n  old/winter: guides/seasons/winter.md#mulch\n  old/gone: guides/gone.md\n',
    ],
    ['docs/SUMMARY.md', summary],
  ]);
}

/** The same pages without SUMMARY.md and configuration; the project directory is `docs`. */
export function fixtureRepositoryWithoutSummary(): FixtureFiles {
  return toFiles(shared);
}

const summary = `# Table of contents

* [Fernhill Handbook](README.md)
* [What changed this year](whats-new.md "News")

## First steps <a href="#first-steps" id="first-steps"></a>

* [Install](start/install.md)
* [First garden](start/first-garden/README.md)
  * [Soil](start/first-garden/soil.md)
    * [Compost heap](start/first-garden/soil-compost.md)
* [Naming\\_rules](guides/naming\\_rules.md)
* [Tools & sheds](<guides/tools and sheds.md>)
* [Beds and borders (1)](guides/beds%20%281%29.md)

## Guides &amp; more

* [温室](温室/概要.md)
* [Pépinière](guides/p%C3%A9pini%C3%A8re.md)
* [Pruning](guides/pruning)
* [Seasons](guides/seasons)
  * [Winter work](/guides/seasons/winter.md)
  * [Mulch in winter](guides/seasons/winter.md#mulch)
  * [Winter again](guides/seasons/winter.md)
* [A page that is gone](guides/gone.md)
* [Undertitled](guides/no-heading.md)
* [Windows line ends](guides/crlf.md)
* [With a byte order mark](guides/bom.md)
* [Latin](guides/latin1.md)
* [Underlined title](guides/setext.md)
* [Marked up](guides/inline.md)
* [Fenced](guides/fenced.md)
* [Broken head](guides/bad-frontmatter.md)
* [Empty file](guides/empty.md)
* [Tools](guides/Tools.md)
* [Other tools](guides/tools.md)

## Elsewhere

* [Community](https://community.example.org/?from=docs&lang=en)
* [Neighbour space](https://app.gitbook.com/s/neighbour01/beds)
* [Price list](files/prices.csv)
* **Notes without a page**
  * [A note](notes/a-note.md)
  * [Prototype](notes/\\_\\_proto\\_\\_.md)
  * [Constructor](notes/constructor.md)
* Only a label

## API

* [API reference](api/README.md)
  * \`\`\`yaml
    props:
      models: true
      downloadLink: false
    type: builtin:openapi
    dependencies:
      spec:
        ref:
          kind: openapi
          spec: fernhill-api
    \`\`\`
* \`\`\`yaml
  type: builtin:openapi
  props: {}
  \`\`\`

***

* [Terms](terms.md)
`;

const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const shared: [path: string, content: string | Uint8Array][] = [
  ['LICENSE', 'Do as you like.\n'],
  ['CONTRIBUTING.md', '# Not a page of the space\n'],
  ['docs.yaml', 'site:\n  title: Fernhill\n'],
  [
    'docs/README.md',
    `---
description: >-
  Everything about the gardens of Fernhill, from the first spade to the last
  leaf.
icon: seedling
cover: .gitbook/assets/cover (1).png
coverY: -12.5
layout:
  width: wide
  cover:
    visible: true
    size: hero
  title:
    visible: true
  description:
    visible: false
  tableOfContents:
    visible: true
  outline:
    visible: false
  pagination:
    visible: true
  metadata:
    visible: true
metaLinks:
  canonical: https://docs.example.org/
---

# Fernhill Handbook

Welcome. Begin with [the installation](start/install.md), or look at ![the shed](<.gitbook/assets/the shed@2x.png>).

{% hint style="info" %}
{% include ".gitbook/includes/help.md" %}
{% endhint %}
`,
  ],
  [
    'docs/whats-new.md',
    '---\nhidden: true\nnoIndex: true\nnoRobotsIndex: true\ntags:\n  - news\n  - tag: year\n    primary: true\nvars:\n  year: 2026\n  season: spring\n  open: true\nif: visitor.claims.member == true\ntitle: Not the title\nslug: kept\nlast_reviewed: 2026-01-31\n---\n\n# What changed this year\n\nPlenty.\n',
  ],
  [
    'docs/start/install.md',
    '---\nemoji: 🌱\ncover:\n  light: ../.gitbook/assets/cover%20(1).png\n  dark: https://images.example.org/dark.png\n---\n\n# Install <a href="#install" id="install"></a>\n\n{% file src="../files/manual.pdf" %}\nThe manual\n{% endfile %}\n',
  ],
  [
    'docs/start/first-garden/README.md',
    '# Your first garden\n\n<figure><img src="plan.svg" alt=""><figcaption>The plan</figcaption></figure>\n',
  ],
  ['docs/start/first-garden/plan.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>\n'],
  [
    'docs/start/first-garden/soil.md',
    '# Soil\n\n<picture><source srcset="../../files/dark.webp 1x, ../../files/dark2.webp 2x" media="(prefers-color-scheme: dark)"><img src="../../files/light.webp" alt=""></picture>\n',
  ],
  [
    'docs/start/first-garden/soil-compost.md',
    '# Compost heap\n\n`![](../../files/in-code.png)`\n\n```\n![](../../files/in-fence.png)\n```\n',
  ],
  [
    'docs/guides/naming_rules.md',
    '# Naming\\_rules\n\n[list]: ../files/prices.csv "Prices"\n\nSee the [list].\n',
  ],
  ['docs/guides/tools and sheds.md', '# Tools & sheds\n'],
  ['docs/guides/beds (1).md', '# Beds and borders (1)\n'],
  ['docs/温室/概要.md', '# 温室\n\n![](<図 面.png>)\n'],
  ['docs/温室/図 面.png', picture],
  ['docs/guides/pépinière.md', '# Pépinière\n'],
  ['docs/guides/pruning.md', '# Pruning\n\n[a secret](../../../outside.txt) and [another](../../LICENSE)\n'],
  ['docs/guides/seasons/README.md', '# Seasons\n'],
  [
    'docs/guides/seasons/winter.md',
    '# Winter work\n\n## Mulch <a href="#mulch" id="mulch"></a>\n\nCover the beds.\n',
  ],
  [
    'docs/guides/no-heading.md',
    'Half of the pages of some repositories begin like this.\n\n## Only a second level\n',
  ],
  [
    'docs/guides/crlf.md',
    '---\r\ndescription: Written on Windows\r\n---\r\n\r\n# Windows line ends\r\n\r\nA line.\r\n',
  ],
  ['docs/guides/bom.md', '\uFEFF---\nicon: flag\n---\n\n# With a byte order mark\n'],
  ['docs/guides/latin1.md', Uint8Array.from([...new TextEncoder().encode('# Latin\n\nCaf'), 0xe9, 0x0a])],
  ['docs/guides/setext.md', '\n\nUnderlined title\n================\n\nText.\n'],
  [
    'docs/guides/inline.md',
    '# **Code** `(run)` and [images](../README.md)![](x.png) <a href="#anchor" id="anchor"></a>\n',
  ],
  ['docs/guides/fenced.md', '```sh\n# not a title\n```\n\n# Fenced\n'],
  ['docs/guides/bad-frontmatter.md', '---\ndescription: "unclosed\nicon: [\n---\n\n# Broken head\n'],
  ['docs/guides/empty.md', ''],
  ['docs/guides/Tools.md', '# Tools\n'],
  ['docs/guides/tools.md', '# Other tools\n'],
  ['docs/guides/unlisted.md', '# Nobody lists me\n'],
  ['docs/notes/a-note.md', '# A note\n'],
  ['docs/notes/__proto__.md', '# Prototype\n'],
  ['docs/notes/constructor.md', '# Constructor\n'],
  // The format of methods before GitBook supported specifications, with a trailing space.
  [
    'docs/api/README.md',
    '# API reference\n\nSee https://api.example.org/status&#x20;\n\n' +
      '{% swagger method="get" path="/beds/:id" baseUrl="https://api.example.org" summary="Get a bed" %}\n{% swagger-description %}\nOne **bed**.\n' +
      '{% endswagger-description %}\n\n{% swagger-parameter in="path" name="id" type="String" required="true" %}\n\n{% endswagger-parameter %}\n\n' +
      '{% swagger-response status="200: OK" description="" %}\n```json\n{}\n```\n{% endswagger-response %}\n{% endswagger %}\n\n' +
      '{% api-method method="delete" host="https://api.example.org" path="/beds" %}\n{% api-method-summary %}\nClear\n{% endapi-method-summary %}\n\n' +
      '{% api-method-spec %}\n{% api-method-request %}\n{% endapi-method-request %}\n{% endapi-method-spec %}\n{% endapi-method %}\n',
  ],
  ['docs/terms.md', '# Terms\n'],
  ['docs/files/prices.csv', 'bed,price\n'],
  ['docs/files/manual.pdf', '%PDF-1.4\n'],
  ['docs/files/light.webp', picture],
  ['docs/files/dark.webp', picture],
  ['docs/files/dark2.webp', picture],
  ['docs/files/in-code.png', picture],
  ['docs/files/in-fence.png', picture],
  ['docs/files/nobody-needs-this.bin', picture],
  ['docs/.gitbook/assets/cover (1).png', picture],
  ['docs/.gitbook/assets/the shed@2x.png', picture],
  ['docs/.gitbook/assets/不明.txt', 'nobody links here, and still it is a file\n'],
  [
    'docs/.gitbook/includes/help.md',
    '---\ntitle: Where to ask\n---\n\nAsk in the [community](https://community.example.org/).\n',
  ],
  ['docs/.gitbook/includes/legal/notice.md', '# Notice\n\n![](../../../files/stamp.png)\n'],
  ['docs/files/stamp.png', picture],
  [
    'docs/.gitbook/vars.yaml',
    'product: Fernhill\nversion: 1.10\nbeta: false\nnested:\n  not: flat\n__proto__: polluted\n',
  ],
  ['docs/.gitbook/tags.yaml', '- tag: news\n  label: News\n'],
];

function toFiles(content: readonly (readonly [string, string | Uint8Array])[]): FixtureFiles {
  const encoder = new TextEncoder();
  return new Map(
    content.map(([path, file]) => [path, typeof file === 'string' ? encoder.encode(file) : file]),
  );
}
