import { createSpace } from '@bindery/content';
import {
  connectMongo,
  disconnectMongo,
  ensureIndexes,
  mongoDatabase,
  Space,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { buildMember, buildOrganization } from '../../test/support/factories.ts';

/** Number of spaces that the guest may see, independent of the total. */
const granted = 100;
const perOrganization = 100;

export const callers = ['admin', 'reader', 'guest with grants'] as const;
export type Caller = (typeof callers)[number];

/** The measured organization of an installation, and the tokens of its callers. */
export type Installation = { organization: string; space: string; tokens: Record<Caller, string> };

/**
 * Fills an empty database.
 *
 * @param spaces     number in the measured organization
 * @param elsewhere  number in other organizations, a hundred in each
 */
export async function fillInstallation(
  uri: string,
  { spaces, elsewhere }: { spaces: number; elsewhere: number },
): Promise<Installation> {
  await connectMongo({ mongo: { uri } });
  await ensureIndexes();
  const { organization, admin } = await buildOrganization();
  const reader = await buildMember(organization, 'read');
  const guest = await buildMember(organization, null);
  const first = await createSpace({
    organization: organization._id,
    createdBy: admin.user._id,
    title: 'Space',
  });
  const record = await Space.findById(first._id).lean<SpaceRecord>();
  if (!record) throw new Error('The first space is gone.');
  const access = {
    ...record.access,
    grants: [{ to: guest.user._id, role: 'read' as const }],
    readers: [...record.access.readers, guest.user._id],
  };
  await insertCopies(record, spaces - 1, (i) => (i % Math.ceil(spaces / granted) === 0 ? { access } : {}));
  await insertCopies(record, elsewhere, (i) => {
    const other = `organization${Math.floor(i / perOrganization)}`;
    return { organization: other, siblingsOf: other };
  });
  await disconnectMongo();
  const tokens = { admin: admin.token, reader: reader.token, 'guest with grants': guest.token };
  return { organization: organization._id, space: first._id, tokens };
}

async function insertCopies(
  record: SpaceRecord,
  count: number,
  fieldsOf: (i: number) => Partial<SpaceRecord>,
): Promise<void> {
  const spaces = mongoDatabase().collection<SpaceRecord>('spaces');
  for (let from = 0; from < count; from += 5_000) {
    const copies = Array.from({ length: Math.min(5_000, count - from) }, (_, n) => {
      const i = from + n;
      const createdAt = new Date(record.createdAt.getTime() - (i + 1) * 1_000);
      return {
        ...record,
        _id: newId(),
        createdAt,
        position: `b${String(i).padStart(8, '0')}`,
        ...fieldsOf(i),
      };
    });
    await spaces.insertMany(copies, { ordered: false });
  }
}
