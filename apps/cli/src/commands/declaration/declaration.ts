import { WebUrl } from '@bindery/contract';
import { z } from 'zod';

/** The most entries of each list: more belong into several files. */
const most = 1_000;

/** An object that names the keys that it may have when it has another one. */
function entry<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `has the unknown key \`${String((keys as string[])[0])}\`; allowed are ${Object.keys(shape).join(', ')}`
        : undefined,
  });
}

const Key = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, {
  error: 'must be of letters, digits, dots, dashes and underscores, at most 100',
});
const Id = z.string().min(1).max(100).optional();
const Text = z.string().trim().min(1).max(128);
const Path = z.string().min(1).max(100);

function named<Entry extends z.ZodType>(each: Entry) {
  return z
    .record(Key, each)
    .refine((entries) => Object.keys(entries).length <= most, { error: `has more than ${most} entries` })
    .default({});
}

const Collection = entry({
  id: Id,
  title: Text.max(50),
  description: z.string().max(100).optional(),
  /** Key of the collection that it is in. */
  parent: Key.optional(),
});

const Git = entry({
  /** Without a login: the token is in the environment. */
  url: WebUrl,
  ref: z
    .string()
    .max(1024)
    .regex(/^refs\//, { error: 'must begin with refs/, such as refs/heads/main' }),
  directory: z.string().max(1024).optional(),
  onConflict: z.enum(['branch', 'space', 'change-request']).optional(),
  user: z.string().min(1).max(100).default('git'),
  /** Name of the variable of the environment with the token. */
  token: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, { error: 'must be the name of a variable of the environment, in capitals' })
    .optional(),
});

const Space = entry({
  id: Id,
  title: Text.max(50),
  emoji: z.string().max(20).optional(),
  /** Key of its collection. */
  collection: Key.optional(),
  editMode: z.enum(['live', 'locked']).optional(),
  language: z.string().max(20).optional(),
  git: Git.optional(),
});

const SiteSpaces = z
  .array(
    z.union([Key.transform((space) => ({ space })), entry({ space: Key, path: Path.optional() })], {
      error: 'must be the key of a space, or have `space` and `path`',
    }),
  )
  .max(most);

const Section = entry({
  title: Text,
  path: Path.optional(),
  icon: z.string().max(100).optional(),
  description: z.string().max(256).optional(),
  spaces: SiteSpaces.min(1),
});

const Redirect = z.union(
  [WebUrl.transform((url) => ({ url })), entry({ url: WebUrl, permanent: z.boolean().optional() })],
  { error: 'must be a URL that begins with http:// or https://, or have such a `url`, and `permanent`' },
);

const Site = entry({
  id: Id,
  title: Text.min(2),
  visibility: z.enum(['public', 'unlisted', 'share-link', 'visitor-auth']).optional(),
  basename: Path.optional(),
  published: z.boolean().optional(),
  hostname: z.string().min(1).max(253).optional(),
  spaces: SiteSpaces.optional(),
  sections: z.array(Section).max(most).optional(),
  /** As in the API; settings that it does not name stay. */
  customization: z.record(z.string(), z.json()).optional(),
  redirects: z.record(z.string(), Redirect).default({}),
}).refine(({ spaces, sections }) => !spaces || !sections, {
  error: 'has `spaces` and `sections`: a site with sections has its spaces in these',
});

/** The objects of an organization that a file declares. The keys are names within the file. */
export const Declaration = entry({
  /** Id of the organization; by default the only one of the user. */
  organization: Id,
  collections: named(Collection),
  spaces: named(Space),
  sites: named(Site),
}).superRefine((declared, context) => {
  const { collections, spaces, sites } = declared;
  const require = (key: string | undefined, path: string[], known: object, what: string) => {
    if (key === undefined || Object.hasOwn(known, key)) return;
    const allowed = Object.keys(known).slice(0, 20).join(', ') || 'none';
    context.addIssue({
      code: 'custom',
      path,
      message: `names no ${what} of the file; there are ${allowed}`,
    });
  };
  for (const [key, { parent }] of Object.entries(collections))
    require(parent, ['collections', key, 'parent'], collections, 'collection');
  for (const [key, { collection }] of Object.entries(spaces))
    require(collection, ['spaces', key, 'collection'], collections, 'collection');
  for (const [key, { spaces: own = [], sections = [] }] of Object.entries(sites)) {
    for (const { space } of own) require(space, ['sites', key, 'spaces'], spaces, 'space');
    for (const section of sections)
      for (const { space } of section.spaces) require(space, ['sites', key, 'sections'], spaces, 'space');
  }
  const twice = (kind: string, names: [string, string][]) => {
    const seen = new Map<string, string>();
    for (const [key, name] of names) {
      const other = seen.get(name);
      if (other !== undefined)
        context.addIssue({
          code: 'custom',
          path: [kind, key],
          message: `has the title of \`${other}\`, below the same parent: titles must be unique there.`,
        });
      seen.set(name, key);
    }
  };
  const titled = (
    entries: [string, { title: string; id?: string | undefined }][],
    parentOf: (key: string) => string,
  ) =>
    entries.flatMap(([key, { title, id }]): [string, string][] =>
      id ? [] : [[key, `${parentOf(key)}/${title}`]],
    );
  twice(
    'collections',
    titled(Object.entries(collections), (key) => collections[key]?.parent ?? ''),
  );
  twice(
    'spaces',
    titled(Object.entries(spaces), (key) => spaces[key]?.collection ?? ''),
  );
  twice(
    'sites',
    titled(Object.entries(sites), () => ''),
  );
  for (const key of Object.keys(collections)) {
    const above = new Set<string>();
    for (let at: string | undefined = key; at !== undefined; at = collections[at]?.parent) {
      if (above.has(at)) {
        context.addIssue({
          code: 'custom',
          path: ['collections', key, 'parent'],
          message: 'leads back to itself',
        });
        break;
      }
      above.add(at);
    }
  }
});

export type Declaration = z.infer<typeof Declaration>;
export type DeclaredSite = Declaration['sites'][string];
export type DeclaredSpace = Declaration['spaces'][string];
