import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { tmpdir } from 'node:os';

import { pktLine } from '@bindery/git-remote';

import type { GitLimits } from '../git/gitLimits.ts';
import { readRepository } from './readRepository.ts';

const megabyte = 1024 * 1024;
const limits: GitLimits = {
  memoryMb: 64,
  timeoutMs: 5_000,
  maxPackBytes: megabyte,
  maxPageBytes: megabyte,
  maxFileBytes: megabyte,
  maxEntries: 100,
  maxTotalBytes: megabyte,
};

/**
 * Reads a repository of two pages from a server in this process: a process's first reading takes five times
 * the processor time of the second, because code is compiled and set up. Done while the process is idle, it
 * delays no job.
 *
 * @throws when the process may not listen; everything works without a rehearsal, only slower
 */
export async function rehearse(): Promise<void> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await readRepository(
      {
        url: `http://${hostPort}/rehearsal.git`,
        ref: 'refs/heads/main',
        projectDirectory: '',
        outbound: { allow: [hostPort], refused: [] },
        limits,
        workFolder: tmpdir(),
      },
      {
        onStage: () => {},
        onPoint: () => {},
        loadKnown: async () => ({ pages: Buffer.alloc(0), files: Buffer.alloc(0) }),
        isUnrecordedPush: async () => false,
      },
    );
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

type PackedObject = { oid: string; bytes: Buffer };

const blobs = [
  gitObject(
    'blob',
    Buffer.from('# Contents\n\n* [Home](README.md)\n\n## Guide\n\n* [First](first.md "First steps")\n'),
  ),
  gitObject('blob', Buffer.from('---\ndescription: A page\n---\n\n# Home\n\nA [link](first.md).\n')),
  gitObject('blob', Buffer.from('# First steps\n\n* One `two`\n\n![](image.png)\n')),
] as const;
const [summary, home, first] = blobs;
const tree = gitObject(
  'tree',
  Buffer.concat([entry('README.md', home), entry('SUMMARY.md', summary), entry('first.md', first)]),
);
const person = 'Nobody <nobody@example.invalid> 0 +0000';
const commit = gitObject(
  'commit',
  Buffer.from(`tree ${tree.oid}\nauthor ${person}\ncommitter ${person}\n\nRehearse\n`),
);

/** Answers the three requests of a reading: the refs, the commit with its trees, the texts. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _chunk of request);
  const kind = request.method === 'GET' ? 'advertisement' : 'result';
  response.setHeader('content-type', `application/x-git-upload-pack-${kind}`);
  if (kind === 'advertisement') {
    const ref = pktLine(`${commit.oid} refs/heads/main\0side-band-64k shallow filter\n`);
    response.end(`${pktLine('# service=git-upload-pack\n')}0000${ref}0000`);
  } else if (request.headers['git-protocol'] === undefined) {
    response.end(Buffer.concat([Buffer.from(pktLine('NAK\n')), packet(pack([commit, tree]))]));
  } else {
    response.end(Buffer.concat([Buffer.from(pktLine('packfile\n')), packet(pack(blobs))]));
  }
}

/** Wraps a small pack in the first band, followed by the end of the answer. */
function packet(bytes: Buffer): Buffer {
  const length = (bytes.length + 5).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(`${length}\u0001`), bytes, Buffer.from('0000')]);
}

/** See https://git-scm.com/docs/gitformat-pack */
function pack(objects: readonly PackedObject[]): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(objects.length, 8);
  const bytes = Buffer.concat([header, ...objects.map((object) => object.bytes)]);
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]);
}

/**
 * Encodes an object of less than 2 KB as in a pack: its type and size in two bytes, then the deflated bytes.
 */
function gitObject(type: 'commit' | 'tree' | 'blob', bytes: Buffer): PackedObject {
  const head = Buffer.from([
    0x80 | ({ commit: 1, tree: 2, blob: 3 }[type] << 4) | (bytes.length & 15),
    bytes.length >> 4,
  ]);
  const oid = createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
  return { oid, bytes: Buffer.concat([head, deflateSync(bytes)]) };
}

function entry(name: string, { oid }: PackedObject): Buffer {
  return Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(oid, 'hex')]);
}
