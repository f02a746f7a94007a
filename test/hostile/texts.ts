/** A kind of text that is slow to read for some reader: `of` makes one of about so many characters. */
export type HostileText = { family: string; name: string; of: (length: number) => string };

const of = (family: string, texts: Record<string, (length: number) => string>): HostileText[] =>
  Object.entries(texts).map(([name, make]) => ({ family, name: `${family}: ${name}`, of: make }));

/** The same again and again. */
const again = (piece: string) => (length: number) =>
  piece.repeat(Math.max(1, Math.floor(length / piece.length)));

/** The same again and again, each time with a number of its own. */
const counted = (piece: (index: number) => string) => (length: number) => {
  const pieces: string[] = [];
  for (let index = 0, size = 0; size < length; index += 1)
    size += pieces[pieces.push(piece(index)) - 1]!.length;
  return pieces.join('');
};

/** The first half opens what the second half closes. */
const nested =
  (open: string, close: string, core = 'deep') =>
  (length: number) => {
    const depth = Math.max(1, Math.floor(length / (open.length + close.length)));
    return open.repeat(depth) + core + close.repeat(depth);
  };

const between = (before: string, inner: (length: number) => string, after: string) => (length: number) =>
  before + inner(length) + after;

/** Markdown, as pages have it. */
export const pageTexts: readonly HostileText[] = [
  ...of('tags', {
    'openings of a tag': again('{%'),
    'openings of a tag, spaced': again('{% '),
    'openings of conditions that never end': again('{% if '),
    'names of tags that never end': again('{% hint style="'),
    'tags in each other': nested('{% hint %}\n\n', '\n\n{% endhint %}'),
    'tags that are only opened': again('{% hint %}\n'),
    'tags that are only closed': again('{% endhint %}\n'),
    tabs: again('{% tab title="a" %}\n'),
    'many tags in one line': again('a {% hint %} b {% endhint %} '),
    'a tag of many attributes': between(
      '{% embed ',
      counted((i) => `a${i}="b" `),
      '%}',
    ),
    'a tag with a long value': between('{% embed url="', again('a '), '" %}'),
    includes: counted((i) => `{% include "../a${i}.md" %}\n\n`),
    'unquoted attributes': between('{% embed', again(' url=”a'), ' %}'),
    'references without an end': again('{% content-ref url="a" %} '),
  }),
  ...of('brackets', {
    'opening brackets': again('['),
    'closing brackets': again(']'),
    'brackets in each other': nested('[', ']'),
    'beginnings of pictures': again('!['),
    'empty brackets': again('[]'),
    'escaped brackets': again('\\['),
    'ends of links': again(']('),
    'angle brackets': again('<'),
    'parentheses of a target': between('[a](', nested('(', ')'), ')'),
    braces: again('{'),
  }),
  ...of('quotes', {
    'quotes in each other': (length) => `${'>'.repeat(length)} deep`,
    'quotes in each other, spaced': (length) => `${'> '.repeat(length / 2)}deep`,
    'quotes line by line': again('> a\n'),
    'ever deeper quotes': (length) => {
      const lines: string[] = [];
      for (let depth = 1, size = 0; size < length; depth += 1)
        size += lines[lines.push(`${'>'.repeat(depth % 400)} a`) - 1]!.length;
      return lines.join('\n');
    },
    'quotes and lists in turn': again('> - '),
    'lazy lines of a quote': (length) => `> a\n${again('a\n')(length)}`,
  }),
  ...of('tables', {
    rows: between('|a|b|\n|-|-|\n', again('|c|d|\n'), ''),
    columns: (length) => {
      const columns = Math.floor(length / 4);
      return `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n`;
    },
    'columns and rows': (length) => {
      const side = Math.floor(Math.sqrt(length / 2));
      return `${'|a'.repeat(side)}|\n${'|-'.repeat(side)}|\n${`${'|b'.repeat(side)}|\n`.repeat(side)}`;
    },
    'many columns, short rows': (length) => {
      const columns = Math.floor(length / 8);
      return `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|\n'.repeat(columns)}`;
    },
    'heads of tables': again('a|b\n-|-\n'),
    bars: again('|'),
    'lines that could be a head': again('a|b\n'),
    'escaped bars': between('|a|\n|-|\n|', again('\\|'), '|\n'),
  }),
  ...of('lists', {
    items: again('- a\n'),
    'items with blank lines': again('- a\n\n'),
    'marks in one line': again('- '),
    'numbers in one line': again('1. '),
    'ever deeper items': (length) => {
      const depth = Math.floor(Math.sqrt(length));
      return Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- a`).join('\n');
    },
    tasks: again('- [ ] a\n'),
    'marks of three kinds': again('* + - '),
    'long numbers': counted((i) => `${i % 999_999_999}) a\n`),
    'indented lines below an item': between('- a\n', again('  b\n'), ''),
    'blank lines below an item': between('- a\n', again('\n'), '  b'),
  }),
  ...of('html', {
    'elements in each other': nested('<div>', '</div>'),
    'blocks in each other': nested('<div>\n\n', '\n\n</div>'),
    'elements of text in each other': nested('a <b>', '</b>'),
    'tables in each other': nested('<table><tr><td>', '</td></tr></table>'),
    'details in each other': nested('<details>\n\n<summary>a</summary>\n\n', '\n\n</details>'),
    'elements that are only opened': again('<p>'),
    'elements that are only closed': again('</p>'),
    cells: again('<td>'),
    'a table with wide cells': again('<table><tr><td colspan="1000" rowspan="60000">a</td></tr></table>\n\n'),
    attributes: between(
      '<a ',
      counted((i) => `a${i}="b" `),
      '>a</a>',
    ),
    'attributes without values': between('<a ', again('a '), '>a</a>'),
    'a value that never ends': again('<a href="'),
    comments: again('<!-- a -->'),
    'comments that never end': again('x <!-- '),
    'instructions that never end': again('x <?'),
    'declarations that never end': again('x <!A '),
    'character data that never ends': again('x <![CDATA['),
    scripts: again('<script>'),
    'bare links in angle brackets': again('<https://a.b>'),
    'beginnings of bare links': again('<a:'),
    figures: again('<figure><img src="a.png" alt=""><figcaption>a</figcaption></figure>\n\n'),
    styles: again('<mark style="color:red;">'),
  }),
  ...of('entities', {
    named: again('&amp;'),
    'without an end': again('&amp'),
    numbers: again('&#1;'),
    'long numbers': again(`&#${'1'.repeat(60)};`),
    'long names': again(`&${'a'.repeat(60)};`),
    ampersands: again('&'),
    'in a target': between('[a](', again('&amp;'), ')'),
  }),
  ...of('emphasis', {
    asterisks: again('*'),
    'asterisks, spaced': again('* '),
    'opened in turn': again('*a_ '),
    'opened only': again('*a '),
    'closed only': again('a* '),
    'opened and closed': again('*a* '),
    'of both kinds in each other': nested('*a **b ', '** *'),
    underscores: again('_a'),
    'runs of three': again('***a** '),
    strikethrough: again('~~a '),
    tildes: again('~'),
    'of brackets': again('*]'),
    'runs that grow': counted((i) => `${'*'.repeat(1 + (i % 60))}a `),
  }),
  ...of('links', {
    links: again('[a](b) '),
    'links in each other': nested('[a', '](b)'),
    'pictures in each other': nested('![a', '](b)'),
    'titles that never end': again('[a](b "'),
    'titles in parentheses that never end': again('[a](b ('),
    'targets in angle brackets that never end': again('[a](<b'),
    addresses: again('https://a.example/ '),
    'beginnings of addresses': again('www.'),
    'e-mail addresses': again('a@b.c '),
    'a long e-mail address': again('a.'),
    'an address with parentheses': between('https://a.example/', again('('), ''),
    'an address with ends': between('https://a.example/', again('&a;)'), ''),
    'unsafe ones': again('[a](javascript:a) '),
    'to pages by their ids': again('[a](/pages/abcdefghijklmnopqrst) '),
    'of many targets': counted((i) => `[a](page-${i}.md) `),
    backslashes: between('[a](', again('\\'), ')'),
  }),
  ...of('definitions', {
    'of one label': again('[a]: b\n'),
    'of many labels': counted((i) => `[a${i}]: b\n`),
    'and their uses': (length) =>
      `${again('[a]\n')(length / 2)}\n\n${counted((i) => `[a${i}]: b\n`)(length / 2)}`,
    'uses of one that is not there': again('[a][b] '),
    'one long label': between('[', again('a'), ']: b'),
    'labels of spaces': again('[ ]: b\n'),
    'a long target, used often': (length) =>
      `[a]: /${'b'.repeat(length / 2)}\n\n${again('[a] ')(length / 2)}`,
    'titles over lines': again('[a]: b\n"\n'),
  }),
  ...of('footnotes', {
    uses: again('[^a]'),
    definitions: counted((i) => `[^${i}]: a\n\n`),
    'in themselves': again('[^1]\n\n[^1]: [^1]\n\n'),
    'of many lines': between('[^1]: a\n', again('    b\n'), ''),
    'in each other': counted((i) => `[^${i}]: [^${i + 1}]\n\n`),
  }),
  ...of('code', {
    backticks: again('`'),
    'runs that grow': counted((i) => `${'`'.repeat(1 + (i % 200))} `),
    'runs of two lengths': again('`a ``'),
    'a fence that never ends': between('```\n', again('a\n'), ''),
    fences: again('```\n'),
    'fences of tildes in quotes': again('> ~~~\n'),
    'indented lines': again('    a\n'),
    'a long info string': between('```', again('a '), '\na\n```\n'),
  }),
  ...of('math', {
    'in lines': again('a $$ b '),
    dollars: again('$'),
    blocks: again('$$\na\n$$\n\n'),
    'a block that never ends': between('$$\n', again('a\n'), ''),
    'runs that grow': counted((i) => `${'$'.repeat(2 + (i % 100))} a `),
  }),
  ...of('headings', {
    headings: again('# a\n'),
    'of one name': again('## a b\n\n'),
    underlined: again('a\n===\n'),
    'closing marks': between('# a ', again('#'), ' b'),
    'spaces before the end': between('# a', again(' '), '#b'),
    'a paragraph that becomes one': (length) => `${again('a\n')(length)}===\n`,
    'a long first line': between('# ', again('*a '), '\n'),
  }),
  ...of('breaks', {
    rules: again('---\n'),
    'a rule that is none': between('', again('- '), 'a'),
    'asterisks over a line': between('', again('* * '), 'a'),
    spaces: again(' '),
    'spaces, then a letter': between('a', again(' '), 'b'),
    tabs: again('\t'),
    'blank lines': again('\n'),
    'carriage returns': again('\r'),
    'hard breaks': again('a  \n'),
    backslashes: again('\\'),
    'backslashes at line ends': again('a\\\n'),
  }),
  ...of('characters', {
    'halves of surrogates': again('\uD800'),
    'emoji of many parts': again('👩‍👩‍👧‍👦'),
    'combining marks': between('e', again('\u0301'), ''),
    controls: again('\u0001'),
    nothing: again('\0'),
    'marks of direction': again('\u202E'),
    'spaces of no width': again('\u200B'),
    'line separators': again('\u2028'),
    'one word': again('a'),
    'short words': again('a b '),
    Chinese: again('文'),
    Thai: again('ก็'),
    'ligatures that grow': again('\uFDFA'),
    colons: again(':a'),
    'emoji names': again(':smile:'),
    numbers: again('1,'),
  }),
  ...of('conditions', {
    'in each other': nested('{% if visitor.claims.a %}\n\n', '\n\n{% endif %}'),
    'with branches': between(
      '{% if visitor.claims.a %}\n',
      again('\n{% elsif visitor.claims.b %}\n\na\n'),
      '\n{% endif %}',
    ),
    'of many expressions': counted((i) => `{% if visitor.claims.a${i} %}\n\na\n\n{% endif %}\n\n`),
    parentheses: between('{% if ', nested('(', ')', 'visitor'), ' %}\n\na\n\n{% endif %}'),
    negations: between('{% if ', again('!'), 'visitor %}\n\na\n\n{% endif %}'),
    operators: between('{% if visitor', again(' && visitor'), ' %}\n\na\n\n{% endif %}'),
    ends: again('{% endif %}\n'),
    'expressions in text': again('<code class="expression">page.vars.a</code> '),
    'broken and whole in turn': again('{% if a %}\n\n{% if\n\n'),
  }),
  ...of('frontmatter', {
    keys: between(
      '---\n',
      counted((i) => `a${i}: b\n`),
      '---\n# a\n',
    ),
    'one key': between('---\n', again('a: b\n'), '---\n# a\n'),
    'lists in each other': between('---\na: ', nested('[', ']', ''), '\n---\n# a\n'),
    'maps in each other': between('---\na: ', nested('{a: ', '}', 'b'), '\n---\n# a\n'),
    'lists in each other, by lines': between('---\n', again('- '), 'a\n---\n# a\n'),
    'aliases that multiply': () =>
      `---\na0: &a0 [a]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join('')}---\n# a\n`,
    'an alias of itself': () => '---\na: &a [*a]\n---\n# a\n',
    anchors: between(
      '---\n',
      counted((i) => `a${i}: &a${i} b\n`),
      '---\n# a\n',
    ),
    'merge keys': between(
      '---\na: &a {b: c}\n',
      counted((i) => `b${i}:\n  <<: *a\n`),
      '---\n# a\n',
    ),
    'tags of types': between('---\na: ', again('!!str '), 'b\n---\n# a\n'),
    quotes: between('---\na: ', again("'"), '\n---\n# a\n'),
    'a text over lines': between('---\na: |\n', again('  b\n'), '---\n# a\n'),
    'a folded text': between('---\na: >-\n', again('  b\n\n'), '---\n# a\n'),
    comments: between('---\n', again('# a\n'), 'a: b\n---\n# a\n'),
    'that never ends': between('---\n', again('a: b\n'), ''),
    'a long description': between('---\ndescription: ', again('a '), '\n---\n# a\n'),
    'tags of a page': between('---\ntags: [', again('a,'), 'a]\n---\n# a\n'),
    'question marks': between('---\n', again('? '), 'a\n---\n# a\n'),
  }),
];

/** HTML, as web pages and exports of Confluence and Notion have it. */
export const htmlTexts: readonly HostileText[] = of('web page', {
  'cells that span everything': again('<table><tr><td colspan="1000" rowspan="65534">a</td></tr></table>'),
  'one table of cells that span': between(
    '<table>',
    again('<tr><td colspan="1000" rowspan="65534">a</td></tr>'),
    '</table>',
  ),
  'a long row over short ones': (length) =>
    `<table><tr>${again('<td>a')(length / 2)}</tr>${again('<tr><td>a')(length / 2)}</table>`,
  'tables in each other': again('<table><tr><td>'),
  'elements in each other': again('<div>'),
  'elements of text in each other': again('<b><i>'),
  'lists in each other': again('<ul><li>'),
  'links in each other': again('<a href="b">a'),
  'quotes in each other': again('<blockquote>a'),
  'closed in the wrong order': again('<b><p></b></p>'),
  entities: again('&lt;'),
  'entities without an end': again('&ampa'),
  attributes: between(
    '<p ',
    counted((i) => `a${i}="b" `),
    '>a</p>',
  ),
  'a value that never ends': between('<p>a</p><a href="', again('<'), ''),
  'comments that never end': again('a<!--'),
  code: between('<pre>', again('`'), '</pre>'),
  spaces: between('<p>a', again(' '), 'b</p>'),
  'marks of Markdown': between('<p>', again('*_[`'), '</p>'),
  headings: again('<h2>a</h2>'),
  classes: between(
    '<div class="',
    counted((i) => `alert-${i} `),
    '">a</div>',
  ),
  pictures: counted((i) => `<figure><img src="data:image/svg+xml,a${i}"><figcaption>a</figcaption></figure>`),
  'what folds, in each other': again('<details><summary>a</summary>'),
});

/** Pictures, as web pages name them. */
export const svgTexts: readonly HostileText[] = of('SVG', {
  attributes: between(
    '<svg ',
    counted((i) => `a${i}="b" `),
    'xmlns="http://www.w3.org/2000/svg"/>',
  ),
  spaces: between('<svg', again(' '), ''),
  comments: between('', again('<!-- a -->'), '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  'comments that never end': again('<!--'),
  'a declaration': between(
    '<!DOCTYPE svg [',
    counted((i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`),
    ']><svg>&a9;</svg>',
  ),
  instructions: between('<?xml version="1.0"?>', again('<?a?>'), '<svg/>'),
  'elements in each other': between('<svg>', again('<g>'), ''),
});

/** robots.txt; the page that is named is read all the same. */
export const robotsTexts: readonly HostileText[] = of('robots.txt', {
  stars: (length) => `User-agent: *\n${again(`Disallow: /${'*a'.repeat(500)}$\n`)(length)}`,
  'one long rule': between('User-agent: *\nDisallow: /', again('*'), '$\n'),
  rules: between(
    'User-agent: *\n',
    counted((i) => `Disallow: /a${i}\n`),
    '',
  ),
  agents: counted((i) => `User-agent: a${i}\n`),
  colons: again(':'),
  spaces: between('User-agent:', again(' '), '*\n'),
});

/** SUMMARY.md of a repository. */
export const summaryTexts: readonly HostileText[] = of('SUMMARY.md', {
  entries: counted((i) => `* [a](p${i % 50}.md)\n`),
  'ever deeper entries': (length) => {
    const depth = Math.floor(Math.sqrt(length));
    return Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}* [a](p${level % 50}.md)`).join(
      '\n',
    );
  },
  brackets: between('* ', again('['), '\n'),
  'links in each other': between('* ', nested('[a', '](p1.md)'), '\n'),
  'marks in one line': again('* '),
  headings: again('## a\n'),
  definitions: counted((i) => `[a${i}]: p1.md\n`),
  emphasis: between('* [', again('*a_ '), '](p1.md)\n'),
});

/** .gitbook.yaml of a repository. */
export const configurationTexts: readonly HostileText[] = of('.gitbook.yaml', {
  redirects: between(
    'redirects:\n',
    counted((i) => `  a${i}: p1.md\n`),
    '',
  ),
  'lists in each other': between('redirects: ', nested('[', ']', ''), '\n'),
  'maps in each other': between('root: ', nested('{a: ', '}', 'b'), '\n'),
  'aliases that multiply': () =>
    `a0: &a0 [a]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join('')}redirects: *a30\n`,
  anchors: counted((i) => `a${i}: &a${i} b\n`),
  tags: between('root: ', again('!!str '), 'b\n'),
  'a long text': between('root: "', again('\\u0061'), '"\n'),
  'question marks': again('? '),
});

/** Conditions of pages and of parts of sites, within their length. */
export const conditionTexts: readonly HostileText[] = of('condition', {
  parentheses: (length) => nested('(', ')', 'visitor')(length),
  negations: between('', again('!'), 'visitor'),
  operators: between('visitor', again('&&visitor'), ''),
  members: between('visitor', again('.a'), ''),
  brackets: between('visitor', again('["a"]'), ''),
  lists: between('', nested('[', ']', '1'), ''),
  numbers: between('visitor.claims.a == ', again('9'), ''),
  quotes: between('visitor.claims.a == "', again('\\'), '"'),
  questions: between('a', again('?a:a'), ''),
});

/** Sources of redirects of a site. */
export const redirectTexts: readonly HostileText[] = of('redirect', {
  stars: between('/', again('*'), ''),
  slashes: between('/', again('/'), ''),
  dots: between('/', again('../'), ''),
  percents: between('/', again('%'), ''),
  escapes: between('/', again('%25'), ''),
  parameters: between('/', again(':a/'), ''),
  questions: between('/a', again('?'), ''),
});
