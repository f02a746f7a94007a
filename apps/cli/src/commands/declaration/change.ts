import type { ApiAccess } from '../api/apiAccess.ts';

/** A field that differs; without `before` in something new, without `after` in what goes. */
export type FieldChange = { field: string; before?: unknown; after?: unknown };

/** One step from what the installation has to what the file declares. */
export type Change = {
  action: 'create' | 'update' | 'delete';
  /** The changed object: `space handbook`. */
  name: string;
  fields: FieldChange[];
  /** Carries it out: later changes may need the ids that it brings. */
  run(): Promise<void>;
};

/** A plan in the making. */
export type Planning = {
  api: ApiAccess;
  organization: string;
  environment: NodeJS.ProcessEnv;
  /** Whether what the file does not declare is removed. */
  prune: boolean;
  /** Ids by what they are of, `space handbook`; those of new things come when these are made. */
  ids: Map<string, string>;
  changes: Change[];
  /** The removal of each object of the installation that the file does not declare. */
  undeclared: Change[];
  /** The number of declared things that are as declared. */
  unchanged: number;
};

/** The fields of `declared` that `found` has with other values. */
export function fieldChanges(declared: object, found: object): FieldChange[] {
  const now = new Map(Object.entries(found));
  return Object.entries(declared)
    .filter(([, after]) => after !== undefined)
    .filter(([field, after]) => !isCovered(after, now.get(field)))
    .map(([field, after]) => ({ field, before: now.get(field), after }));
}

/** Whether a value has all that is declared of it: of an object, the declared members. */
function isCovered(declared: unknown, found: unknown): boolean {
  if (isRecord(declared) && isRecord(found))
    return Object.entries(declared).every(([name, value]) => isCovered(value, found[name]));
  return JSON.stringify(declared) === JSON.stringify(found);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws Error for what the plan does not have, which its order rules out */
export function idOf({ ids }: Planning, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`There is no ${name} yet.`);
  return id;
}

type Settled = {
  name: string;
  declared: Record<string, unknown>;
  /** The existing object: its id, its fields as a list has them, and its path. */
  found: { id: string; fields: object; path: string } | undefined;
  /** Makes it, and returns its id and the path at which the other fields are set. */
  create(): Promise<{ id: string; path: string; set: readonly string[] }>;
};

/** Plans what makes one thing as declared: nothing, an update of some fields, or all of it. */
export async function settle(planning: Planning, { name, declared, found, create }: Settled): Promise<void> {
  const { api, ids, changes } = planning;
  if (!found) {
    const fields = fieldChanges(declared, {});
    changes.push({
      action: 'create',
      name,
      fields,
      run: async () => {
        const { id, path, set } = await create();
        ids.set(name, id);
        const rest = fields.filter(({ field }) => !set.includes(field));
        if (rest.length > 0) await api.change('PATCH', path, { json: bodyOf(rest) });
      },
    });
    return;
  }
  ids.set(name, found.id);
  if (fieldChanges(declared, found.fields).length === 0) {
    planning.unchanged += 1;
    return;
  }
  const { body, etag } = await api.read(found.path);
  const fields = fieldChanges(declared, body);
  if (fields.length === 0) planning.unchanged += 1;
  else
    changes.push({
      action: 'update',
      name,
      fields,
      run: async () => void (await api.change('PATCH', found.path, { json: bodyOf(fields), etag })),
    });
}

function bodyOf(fields: readonly FieldChange[]): object {
  return Object.fromEntries(fields.map(({ field, after }) => [field, after]));
}

/** Plans the removal of what the file does not declare. */
export async function leaveUndeclared(
  { api, undeclared, prune }: Planning,
  { name, path }: { name: string; path: string },
): Promise<void> {
  const etag = prune ? (await api.read(path)).etag : undefined;
  undeclared.push({
    action: 'delete',
    name,
    fields: [],
    run: async () => void (await api.change('DELETE', path, { etag })),
  });
}
