import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type Bytes = Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The server's answers; each part is built anew for each request. */
export type Lie = {
  /** The listed refs; the first line includes the capabilities. */
  refs?: [oid: string, name: string][];
  capabilities?: string;
  /** The whole answer to the request for the refs, in place of `refs`. */
  advertisement?(): Bytes;
  /** The pack, sent in packets of the first side band. */
  pack?(): Bytes;
  /** The whole answer to the request for the pack, in place of `pack`. */
  answer?(): Bytes;
  headers?: Record<string, string>;
};

/** A git server that gives arbitrary answers, different for each repository. */
export type LyingGitServer = {
  hostPort: string;
  /** @returns the URL of a repository with these answers */
  tell(lie: Lie): string;
  close(): Promise<void>;
};

/** Shared by all lies: one branch, and no optional capability. */
const plainCapabilities = 'side-band-64k ofs-delta no-progress agent=git/lying';

export async function startLyingGitServer(): Promise<LyingGitServer> {
  const lies: Lie[] = [];
  const server = createServer((request, response) => {
    const [, number = '', , end = ''] =
      /^\/(\d+)(\.git)?\/(info\/refs|git-upload-pack)/.exec(request.url ?? '') ?? [];
    const lie = lies[Number(number)];
    request.resume();
    if (!lie || end === '') return void response.writeHead(404).end();
    if (end === 'info/refs')
      return void send(response, 'advertisement', lie, lie.advertisement?.() ?? advertise(lie));
    return void send(response, 'result', lie, lie.answer?.() ?? inPackets(lie.pack?.() ?? []));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    hostPort,
    tell: (lie) => `http://${hostPort}/${lies.push(lie) - 1}.git`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function send(
  response: ServerResponse,
  kind: 'advertisement' | 'result',
  { headers }: Lie,
  bytes: Bytes,
): Promise<void> {
  response.writeHead(200, { 'content-type': `application/x-git-upload-pack-${kind}`, ...headers });
  // The client may have disconnected.
  await pipeline(
    Readable.from(bytes instanceof Uint8Array ? [bytes] : bytes, { objectMode: false }),
    response,
  ).catch(() => {});
}

export function packet(payload: Uint8Array | string): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

const flush = Buffer.from('0000');

function advertise({ refs = [], capabilities = plainCapabilities }: Lie): Buffer {
  const lines = refs.map(([oid, name], i) => packet(`${oid} ${name}${i === 0 ? `\0${capabilities}` : ''}\n`));
  return Buffer.concat([packet('# service=git-upload-pack\n'), flush, ...lines, flush]);
}

async function* inPackets(pack: Bytes): AsyncGenerator<Buffer> {
  yield packet('NAK\n');
  for await (const chunk of pack instanceof Uint8Array ? [pack] : pack) {
    for (let from = 0; from < chunk.length; from += 65_000)
      yield packet(Buffer.concat([Buffer.from([1]), chunk.subarray(from, from + 65_000)]));
  }
  yield flush;
}
