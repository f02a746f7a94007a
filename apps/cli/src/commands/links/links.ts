import { apiPath } from '@bindery/runtime';
import type { ContentLocation, Link } from '@bindery/contract';
import { dataOption, parseOptions, type Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';
import { openApi, type ApiAccess } from '../api/apiAccess.ts';
import { eachItem } from '../api/eachItem.ts';
import { formatOf, formatOption, type ReportEntry } from '../report.ts';

export const linksUsage = {
  command: 'links',
  operands: '<space>',
  options: {
    ...formatOption,
    ...dataOption,
  },
} satisfies Usage;

/** More would hide what to mend first. */
const maxLinks = 1_000;

/**
 * Prints the broken links of the main content of a space, with the pages and the files that have them.
 *
 * @returns 1 when there are any, else 0
 */
export async function links(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { values, operands } = parseOptions(linksUsage, args);
  const [space] = operands;
  if (space === undefined || operands.length > 1)
    throw new Refusal('`bindery links` needs the id of one space.', ['It is in its URL: /s/<id>.']);
  const format = formatOf(values.format);
  const api = openApi({ data: values.data, environment });
  const broken = await findBroken(api, space);
  process.stdout.write(format({ title: `bindery links ${space}`, entries: broken.flatMap(entriesOf) }));
  return broken.length > 0 ? 1 : 0;
}

async function findBroken(api: ApiAccess, space: string): Promise<Link[]> {
  const links = eachItem<Link>(
    api,
    (page) => apiPath`/spaces/${space}/links${{ status: 'broken', limit: 100, page }}`,
  );
  const found: Link[] = [];
  for await (const link of links) if (found.push(link) === maxLinks) break;
  return found;
}

/** An entry for each place that has a link. */
function entriesOf({ targetReference, locationReferences }: Link): ReportEntry[] {
  const message = `${nameOf(targetReference)} does not exist`;
  return locationReferences.map((location) => ({
    level: 'error',
    rule: 'broken-link',
    message,
    subject: nameOf(location),
    file: location.kind === 'page' ? fileOf(location) : undefined,
  }));
}

function fileOf({ page }: Extract<ContentLocation, { kind: 'page' }>): string | undefined {
  return page.type === 'document' ? page.git?.path : undefined;
}

function nameOf(location: ContentLocation): string {
  switch (location.kind) {
    case 'url':
      return location.url;
    case 'page':
      return pageName(location);
    case 'file':
      return `the file ${location.file.name}`;
    case 'reusable-content':
      return `the reusable content ${location.reusableContent.title}`;
    case 'space':
      return `the space ${location.space.title}`;
    case 'collection':
      return `the collection ${location.collection.title}`;
    case 'user':
      return `the user ${location.user.displayName}`;
    case 'openapi':
      return `the API specification ${location.openAPISpec.slug}`;
  }
}

function pageName({ page, internalLocation }: Extract<ContentLocation, { kind: 'page' }>): string {
  const path = 'path' in page ? `/${page.path}` : page.title;
  return internalLocation?.type === 'anchor' ? `${path}#${internalLocation.anchor}` : path;
}
