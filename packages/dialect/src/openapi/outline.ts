import { isHidden } from './blockTargets.ts';
import { followRefs } from './followRefs.ts';
import { splitInfo, type InfoPage } from './infoPages.ts';
import { isPart, listIn, textIn, type Part } from './specification.ts';
import { partAt, type SpecificationFile } from './specificationFile.ts';

/** The parts of a specification that become pages, without hidden ones. */
export type SpecificationOutline = {
  /** The pages made of the description. */
  info: InfoPage[];
  /** Declared tags in their order, each name once. */
  tags: OutlineTag[];
  /** In the order of the paths, and for each path of the methods. */
  operations: OutlineOperation[];
  webhooks: OutlineWebhook[];
  schemas: string[];
};

export type OutlineTag = {
  name: string;
  title: string;
  description: string;
  /** `x-gitbook-description-document`; nobody checked it. */
  descriptionDocument?: unknown;
  parent?: string;
  icon?: string;
  pageDescription?: string;
  /** Neither the tag nor its operations have a page. */
  isHidden: boolean;
};

export type OutlineOperation = {
  path: string;
  /** In lower case. */
  method: string;
  title: string;
  /** The tag on whose page it is. */
  tag: string;
  isDeprecated: boolean;
};

export type OutlineWebhook = { name: string; method: string; title: string; isDeprecated: boolean };

/** The methods that pages show, in their order. */
export const shownMethods = ['get', 'post', 'put', 'delete', 'options', 'head', 'patch', 'trace'] as const;
/** Further methods that a block may name. */
const methods = [...shownMethods, 'query'];

/** The tag of operations without one. */
const defaultTag = 'default';
/** Longer texts are cut: a page of a tag cannot show more. */
const maxDescription = 200_000;
/** As for other pages. */
const maxIcon = 50;
const maxPageDescription = 300;

export function outlineOf(file: SpecificationFile): SpecificationOutline {
  const tags = tagsOf(file);
  const declared = new Set(tags.map(({ name }) => name));
  const operations = itemsIn(file, 'paths').map(({ name: path, method, title, operation, isDeprecated }) => {
    const own = listIn(operation, 'tags').filter((tag): tag is string => typeof tag === 'string');
    const tag = own.find((each) => declared.has(each)) ?? own[0] ?? defaultTag;
    return { path, method, title, tag, isDeprecated };
  });
  return {
    info: splitInfo(describedBy(partAt(file, ['info'])).description),
    tags,
    operations,
    webhooks: itemsIn(file, 'webhooks').map(({ name, method, title, isDeprecated }) => ({
      name,
      method,
      title,
      isDeprecated,
    })),
    schemas: file
      .namesIn(['components', 'schemas'])
      .filter((name) => !isHidden(partAt(file, ['components', 'schemas', name]))),
  };
}

function tagsOf(file: SpecificationFile): OutlineTag[] {
  const given = file.at(['tags']);
  const tags = new Map<string, OutlineTag>();
  for (const tag of Array.isArray(given) ? (given as unknown[]) : []) {
    const name = isPart(tag) ? textIn(tag, 'name') : '';
    if (!isPart(tag) || name === '' || tags.has(name)) continue;
    const parent = textIn(tag, 'parent') || textIn(tag, 'x-parent');
    const icon = textIn(tag, 'x-page-icon').slice(0, maxIcon);
    const pageDescription = textIn(tag, 'x-page-description').slice(0, maxPageDescription);
    tags.set(name, {
      name,
      title: textIn(tag, 'x-page-title') || textIn(tag, 'x-displayName') || titleOfTag(name),
      ...describedBy(tag),
      parent: parent || undefined,
      icon: icon || undefined,
      pageDescription: pageDescription || undefined,
      isHidden: isHidden(tag),
    });
  }
  return [...tags.values()];
}

function describedBy(part: Part): { description: string; descriptionDocument?: unknown } {
  const given = part['x-gitbook-description-document'];
  const document = isPart(given) && JSON.stringify(given).length <= maxDescription ? given : undefined;
  return {
    description: textIn(part, 'description').slice(0, maxDescription),
    descriptionDocument: document,
  };
}

/** `billing-accounts` is `Billing Accounts`. */
export function titleOfTag(name: string): string {
  return name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function itemsIn(
  file: SpecificationFile,
  place: 'paths' | 'webhooks',
): (OutlineWebhook & { operation: Part })[] {
  return file.namesIn([place]).flatMap((name) => {
    const item = followRefs(file, file.at([place, name]));
    if (isHidden(item)) return [];
    return methods.flatMap((method) => {
      if (!isPart(item[method])) return [];
      const operation = followRefs(file, item[method]);
      if (isHidden(operation)) return [];
      const title =
        textIn(operation, 'summary').trim() ||
        textIn(operation, 'operationId').trim() ||
        `${method.toUpperCase()} ${name}`;
      return [{ name, method, title, operation, isDeprecated: operation['deprecated'] === true }];
    });
  });
}
