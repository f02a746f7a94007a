import { seededRandom, type SeededRandom } from '../seededRandom.ts';

export type BookPage = {
  html: string;
  headings: { id: string; level: number; title: string; anchors?: string[] }[];
};

const words =
  'a the of to and in is that it for was on are as with his they at be this from have or by one had not but all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know'.split(
    ' ',
  );

/**
 * Pages like those of a documentation: about 650 words, 7 headings, code in colours, a table, a list, and
 * links to other pages.
 *
 * @param count of all pages of the book, the targets of links
 */
export function bookPages({ count, seed = 1 }: { count: number; seed?: number }): BookPage[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => bookPage(index, count, random));
}

/** A document of pages with margin boxes, and lists with and without numbers. */
export function chunkHtml(pages: readonly BookPage[], { firstSheet = 1, style = '' } = {}): string {
  return `<!doctype html><html lang="en" style="counter-increment: page ${firstSheet - 1}"><head><title>Book</title><style>
@page { size: A4; margin: 20mm; @bottom-center { content: counter(page) } @top-right { content: "Handbook" } }
h1 { break-before: page } body { font: 11px/1.5 "Liberation Sans", sans-serif }
pre { background: #f5f5f5; padding: 8px; white-space: pre-wrap } td, th { border: 1px solid #999; padding: 4px }
.k { color: #a0c } .s { color: #080 } .c { color: #777 } ${style}</style></head>
<body>${pages.map(({ html }) => html).join('\n')}</body></html>`;
}

function bookPage(index: number, count: number, random: SeededRandom): BookPage {
  const sentence = (length: number) =>
    Array.from({ length }, () => random.pick(words))
      .join(' ')
      .replace(/^./, (first) => first.toUpperCase());
  const page = `page-${index}`;
  const title = `${index + 1}. ${sentence(3)}`;
  const headings: BookPage['headings'] = [{ id: `${page}-top`, level: 1, title, anchors: [page] }];
  const parts = [`<h1 id="${page}-top">${title}</h1>`];
  for (let section = 1; section <= 6; section += 1) {
    const id = `${page}-${section}`;
    const level = section % 3 === 0 ? 3 : 2;
    const name = sentence(4);
    headings.push({ id, level, title: name });
    const target = `https://render.invalid/#page-${random.below(count)}`;
    parts.push(
      `<h${level} id="${id}">${name}</h${level}>`,
      `<p>${sentence(30)}, <a href="${target}">${sentence(3)}</a>, <strong>${sentence(2)}</strong> ${sentence(40)} <code>${sentence(2)}</code>. ${sentence(20)}.</p>`,
    );
  }
  const code = Array.from(
    { length: 12 },
    (_, line) =>
      `<span class=k>const</span> value${line} <span class=k>=</span> <span class=s>'${random.pick(words)}'</span>; <span class=c>// ${sentence(4)}</span>`,
  );
  const row = (cell: string) =>
    `<tr>${Array.from({ length: 4 }, () => `<${cell}>${sentence(2)}</${cell}>`).join('')}</tr>`;
  parts.push(
    `<pre><code>${code.join('\n')}</code></pre>`,
    `<table><thead>${row('th')}</thead><tbody>${row('td')}${row('td')}${row('td')}${row('td')}</tbody></table>`,
    `<ul>${`<li>${sentence(8)}</li>`.repeat(3)}<li>${sentence(4)}<ol><li>${sentence(5)}<li>${sentence(5)}</ol></li></ul>`,
    `<p>See <a href="https://example.com/?page=${index}&amp;q=(a)">the site</a>.</p>`,
  );
  return { html: parts.join('\n'), headings };
}
