import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connectMongo, mongoDatabase } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import express from 'express';
import { z } from 'zod';

// The minimum cost of the same two operations with Express and zod: reads and writes the same records one by
// one and answers with the same fields, but without request ids, logs, error texts, limits and entity tags.

const config = loadConfig();
await connectMongo(config);
type Stored = {
  _id: string;
  version?: number;
  user?: string;
  organization?: string;
  [field: string]: unknown;
};
const collection = (name: string) => mongoDatabase().collection<Stored>(name);
const Body = z.object({
  title: z.string().max(50).optional(),
  emoji: z.string().optional(),
  language: z.string().optional(),
});

type Found = { space: Record<string, unknown>; role: unknown };

async function load(authorization: string, id: string): Promise<Found | undefined> {
  const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest('hex');
  const token = await collection('apiTokens').findOne({ hash });
  const user = token && (await collection('users').findOne({ _id: token['user'] as string }));
  const space = user && (await collection('spaces').findOne({ _id: id }));
  if (!space) return undefined;
  const [organization, member] = await Promise.all([
    collection('organizations').findOne({ _id: space['organization'] as string }),
    collection('members').findOne({ user: user._id, organization: space['organization'] }),
  ]);
  return organization && member ? { space, role: member['role'] } : undefined;
}

function present({ space, role }: Found): object {
  const { _id: id, title, emoji, createdAt, updatedAt, editMode, organization, revision, counts } = space;
  const can = role === 'admin';
  const names = [
    'view',
    'access',
    'admin',
    'viewInviteLinks',
    'edit',
    'triggerGitSync',
    'comment',
    'merge',
    'review',
    'installIntegration',
  ];
  return {
    ...{
      object: 'space',
      id,
      title,
      emoji: emoji ?? '1f4d6',
      visibility: 'private',
      createdAt,
      updatedAt,
      editMode,
      organization,
      revision,
    },
    ...(counts as object),
    ...{
      defaultLevel: 'read',
      mergeRules: { type: 'inherit' },
      urls: { location: `/v1/spaces/${String(id)}`, app: `/s/${String(id)}` },
    },
    permissions: Object.fromEntries(names.map((name) => [name, can])),
  };
}

const app = express();
app.set('etag', false);
app.use(express.json());
app.get('/v1/spaces/:id', async (request, response) => {
  const found = await load(request.headers.authorization ?? '', request.params.id);
  if (found) response.json(present(found));
  else response.sendStatus(404);
});
app.patch('/v1/spaces/:id', async (request, response) => {
  const found = await load(request.headers.authorization ?? '', request.params.id);
  const body = Body.safeParse(request.body);
  if (!found || !body.success) return void response.sendStatus(found ? 400 : 404);
  const space = await collection('spaces').findOneAndUpdate(
    { _id: request.params.id },
    { $set: { ...body.data, updatedAt: new Date() }, $inc: { version: 1 } as never },
    { returnDocument: 'after' },
  );
  response.json(present({ ...found, space: space ?? found.space }));
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ ready: true, port: (server.address() as AddressInfo).port });
