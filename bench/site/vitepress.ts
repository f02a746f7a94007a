import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RealPage, WriteTabs } from './markdown.ts';
import { serveFolder, type FileServer } from './serveFolder.ts';

/**
 * Builds the pages with VitePress, with its own search and all pages in the navigation, and serves them.
 *
 * @param tools  the folder in whose `node_modules` it is
 */
export async function startVitePress(tools: string, pages: readonly RealPage[]): Promise<FileServer> {
  const site = join(tools, 'site');
  await mkdir(join(site, '.vitepress'), { recursive: true });
  const config = {
    title: 'Docs',
    ignoreDeadLinks: true,
    cleanUrls: true,
    // Types in texts, such as Promise<string>, are no tags of Vue.
    markdown: { html: false, languageAlias: { mjs: 'js', cjs: 'js' } },
    themeConfig: {
      search: { provider: 'local' },
      outline: [2, 3],
      sidebar: pages.map(({ title, path }) => ({ text: title, link: `/${path}` })),
    },
  };
  await writeFile(join(site, '.vitepress/config.mjs'), `export default ${JSON.stringify(config)}`);
  for (const { path, source } of pages) await writeFile(join(site, `${path}.md`), source);
  const program = join(tools, 'node_modules/vitepress/bin/vitepress.js');
  await promisify(execFile)(process.execPath, [program, 'build', site], { cwd: tools, maxBuffer: 2 ** 24 });
  return serveFolder(join(site, '.vitepress/dist'));
}

/** Tabs as VitePress writes them. */
export const vitePressTabs: WriteTabs = (tabs) => {
  const each = Object.entries(tabs).map(([title, code]) => `\`\`\`sh [${title}]\n${code}\n\`\`\`\n`);
  return `::: code-group\n${each.join('\n')}:::\n`;
};
