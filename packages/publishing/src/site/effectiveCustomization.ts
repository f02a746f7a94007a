import {
  UpdateSiteCustomization,
  type SiteCustomization,
  type SiteSpaceCustomization,
} from '@bindery/contract';
import type { SiteRecord, SiteSpaceRecord } from '@bindery/models';

/**
 * The look of a site or of one of its site spaces: the defaults, overridden by the site's settings,
 * overridden by those of the site space.
 */
export function effectiveCustomization(
  site: Pick<SiteRecord, 'customization'>,
  siteSpace?: Pick<SiteSpaceRecord, 'customization'>,
): SiteCustomization {
  const settings = merged(defaults, site.customization?.settings ?? {});
  return merged(settings, siteSpace?.customization?.overrides ?? {});
}

/**
 * The settings of a site space that a change sets, and those that it resets, by their path, such as
 * `styling.theme`.
 */
export function changedOverrides(change: SiteSpaceCustomization): {
  set: Record<string, unknown>;
  unset: string[];
} {
  const changes = flattened(change, groups, []);
  return {
    set: Object.fromEntries(changes.filter(([, value]) => value !== null)),
    unset: changes.filter(([, value]) => value === null).map(([path]) => path),
  };
}

/** Frozen, because every answer that shows a look contains it. */
const defaults = deepFreeze(UpdateSiteCustomization.parse({}));

/**
 * Groups that are merged setting by setting. All other values are replaced as a whole: a colour, a list of
 * links, a favicon.
 */
type Groups = { readonly [name: string]: Groups };
const groups: Groups = {
  styling: { sidebar: {}, codeTheme: {} },
  internationalization: {},
  header: {},
  footer: {},
  themes: {},
  pdf: {},
  feedback: {},
  ai: {},
  advancedCustomization: {},
  git: {},
  pageActions: {},
  externalLinks: {},
  pagination: {},
  trademark: {},
  privacyPolicy: {},
  socialPreview: {},
  insights: {},
};

function merged<T extends object>(base: T, over: object, within = groups): T {
  const result = { ...base } as Record<string, unknown>;
  for (const [name, value] of Object.entries(over)) {
    const inner = within[name];
    const known = result[name];
    result[name] =
      inner && typeof known === 'object' && known !== null ? merged(known, value as object, inner) : value;
  }
  return result as T;
}

function flattened(
  change: object,
  within: Groups,
  above: readonly string[],
): [path: string, value: unknown][] {
  return Object.entries(change).flatMap(([name, value]): [string, unknown][] => {
    const path = [...above, name];
    const inner = within[name];
    if (value === undefined) return [];
    return inner ? flattened(value as object, inner, path) : [[path.join('.'), value]];
  });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
