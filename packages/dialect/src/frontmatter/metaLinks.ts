import { yamlOfFrontmatter } from './splitFrontmatter.ts';
import { contentLimits } from '../contentLimits.ts';
import { membersOf, readYaml, textOf } from './yaml.ts';

const maxAlternates = 100;
const maxLength = 2048;

/**
 * Reads the key `metaLinks` of a page's frontmatter: the canonical page and the alternates, as URLs or paths
 * as written.
 */
export function metaLinksOf(frontmatter: Uint8Array): { canonical?: string; alternates: string[] } {
  const reading = readYaml(yamlOfFrontmatter(frontmatter), contentLimits.yamlBytes);
  const links = membersOf('value' in reading ? membersOf(reading.value).get('metaLinks') : undefined);
  const listed = links.get('alternates');
  const single = listed ? [listed] : [];
  const values = listed?.kind === 'list' ? listed.values : single;
  const canonical = targetIn(textOf(links.get('canonical')));
  const alternates = values.slice(0, maxAlternates).flatMap((value) => targetIn(textOf(value)) ?? []);
  return { canonical, alternates };
}

function targetIn(text: string | undefined): string | undefined {
  return text !== undefined && text !== '' && text.length <= maxLength ? text : undefined;
}
