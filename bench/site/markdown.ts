import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A page of real Markdown, and the path that it gets. */
export type RealPage = { title: string; path: string; source: string };

/** Packages of the project whose documentation is written by people, with code, tables and lists. */
const packages = new URL('../../node_modules/', import.meta.url);
const smallest = 1_500;
const largest = 100_000;

/** The documentation of undici and of pino: 51 pages of up to 57 kB. */
export function guidePages(): RealPage[] {
  return pagesAt(
    ['undici/docs/docs/api/*.md', 'pino/docs/*.md'],
    (file) => `${file.split('/', 1)[0]} ${basename(file, '.md')}`,
  );
}

/** Introductions of packages: mostly 2 to 20 kB. @throws Error when there are fewer */
export function introductions(count: number): RealPage[] {
  const pages = pagesAt(['*/{README,readme}.md', '@*/*/{README,readme}.md'], (file) =>
    file.replace(/\/readme\.md$/i, ''),
  ).filter(
    ({ path, source: { length } }) => !path.startsWith('bindery-') && length > smallest && length < largest,
  );
  if (pages.length < count) throw new Error(`Only ${pages.length} of ${count} packages have a page.`);
  return pages.slice(0, count);
}

/** How a page writes a group of tabs with a block of code each. */
export type WriteTabs = (tabs: Readonly<Record<string, string>>) => string;

/** A page of 38 kB with 34 blocks of code, a table and tabs. @param copy  makes it differ from all others */
export function longPage(copy: number, writeTabs: WriteTabs): RealPage {
  const parts = ['MockPool', 'Client'].map((name) => read(`undici/docs/docs/api/${name}.md`));
  // One title a page.
  const text = parts.join('\n\n').replaceAll(/^# /gm, '## ');
  const source = `# Long page ${copy}\n\nThe copy ${copy}.\n\n${writeTabs(commands)}\n${text}`;
  return { title: `Long page ${copy}`, path: `long-page-${copy}`, source };
}

const commands = {
  npm: 'npm install undici',
  pnpm: 'pnpm add undici',
  Yarn: 'yarn add undici',
  Bun: 'bun add undici',
  Deno: 'deno add npm:undici',
};

export const dialectTabs: WriteTabs = (tabs) => {
  const each = Object.entries(tabs).map(
    ([title, code]) => `{% tab title="${title}" %}\n\`\`\`sh\n${code}\n\`\`\`\n{% endtab %}\n`,
  );
  return `{% tabs %}\n${each.join('\n')}{% endtabs %}\n`;
};

function pagesAt(patterns: string[], nameOf: (file: string) => string): RealPage[] {
  return globSync(patterns, { cwd: packages })
    .toSorted()
    .map((file) => {
      const name = nameOf(file);
      const source = read(file);
      const title = /^# +([^#\s].{0,60})/m.exec(source)?.[1]?.trim() ?? name;
      return {
        title,
        path: name
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '-')
          .replaceAll(/^-|-$/g, ''),
        source,
      };
    });
}

function read(file: string): string {
  return readFileSync(new URL(file, packages), 'utf8');
}
