import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';

const load = (variables: NodeJS.ProcessEnv) =>
  loadConfig({
    MONGODB_URI: 'mongodb://m',
    REDIS_URL: 'redis://r',
    BINDERY_SECRET_KEY: '0'.repeat(64),
    ...variables,
  });

describe('the address of a store', () => {
  it.each([
    'redis://:pw@r:1/2',
    'rediss://r',
    'unix:///run/redis.sock',
    'unix:///run/a%20b/redis.sock?db=12',
    'redis+sentinel://s/primary',
    'rediss+sentinel://u:p%40@a:1,[::1]:2/primary?db=1&sentinelPassword=x',
  ])('may be %s', (REDIS_URL) => {
    expect(load({ REDIS_URL }).redis.url).toBe(REDIS_URL);
  });

  it.each([
    'http://r',
    'unix://run/redis.sock',
    'unix://',
    'unix:///',
    'unix:///run/redis.sock?db=x',
    'unix:///run/redis.sock?db=1&password=x',
    'unix:///run/%zz.sock',
    // Invalid UTF-8, and an invalid file path.
    'unix:///%ff.sock',
    'unix:///a%00b.sock',
  ])('is refused as %s', (REDIS_URL) => {
    expect(() => load({ REDIS_URL })).toThrow(
      'REDIS_URL: must begin with redis:// or rediss://, or be unix:///path/to/redis.sock',
    );
  });

  it.each([
    'redis+sentinel://a:1,b:2',
    'redis+sentinel://a:1,b:2/',
    'redis+sentinel://a:1,,b:2/primary',
    'redis+sentinel://a:x/primary',
    'redis+sentinel://a:1/primary?db=x',
    'redis+sentinel://a:1/primary?password=x',
    'redis+sentinel://%ff@a:1/primary',
  ])('of sentinels is refused as %s', (REDIS_URL) => {
    expect(() => load({ REDIS_URL })).toThrow(
      'REDIS_URL: must be redis+sentinel://[user:password@]host:port,host:port/name-of-the-primary',
    );
  });

  it.each(['mongodb://%ff.sock/x', 'mongodb://%2Fa%00b.sock/x'])(
    'of MongoDB is refused as %s',
    (MONGODB_URI) => {
      expect(() => load({ MONGODB_URI })).toThrow('MONGODB_URI: must have %XX for the bytes of UTF-8 only');
    },
  );

  it('is refused to outbound requests if it is a network address', () => {
    expect(load({ MONGODB_URI: 'mongodb://u:p@a,b:2/x', REDIS_URL: 'redis://c' }).outbound.refused).toEqual([
      ...['a:27017', 'b:2', 'c:6379'],
      '127.0.0.1:3000',
    ]);
    expect(
      load({ REDIS_URL: 'redis+sentinel://:p@a,b:2,[::1]:3/primary' }).outbound.refused.slice(1, -1),
    ).toEqual(['a:26379', 'b:2', '[::1]:3']);
    expect(
      load({ MONGODB_URI: 'mongodb://%2Frun%2Fm.sock/x', REDIS_URL: 'unix:///run/r.sock' }).outbound.refused,
    ).toEqual(['127.0.0.1:3000']);
  });
});

describe('a translation service', () => {
  const translationOf = (environment: NodeJS.ProcessEnv) =>
    loadConfig({
      MONGODB_URI: 'mongodb://m',
      REDIS_URL: 'redis://r',
      BINDERY_SECRET_KEY: '0'.repeat(64),
      ...environment,
    }).translation;

  it.each([
    ['http://libretranslate:5000', 'http://libretranslate:5000'],
    ['https://a.example/api/', 'https://a.example/api'],
  ])('may be %s', (given, url) => {
    expect(translationOf({ BINDERY_LIBRETRANSLATE_URL: given }).libretranslate).toEqual({ url });
  });

  it.each(['ftp://a.example', 'a.example', 'https://u:secret@a.example', 'https://a.example/?key=secret'])(
    'is refused as %s, without repeating it',
    (BINDERY_DEEPL_URL) => {
      expect(() => translationOf({ BINDERY_DEEPL_URL })).toThrow(
        /^(?![^]*secret)[^]*BINDERY_DEEPL_URL: must/,
      );
    },
  );

  it('is refused with a key that no header can hold, without repeating the key', () => {
    expect(() => translationOf({ BINDERY_DEEPL_KEY: 'secret\nkey' })).toThrow(
      /^(?![^]*secret)[^]*BINDERY_DEEPL_KEY: must be printable/,
    );
  });
});

describe('the hosts exempt from proof', () => {
  const hostsOf = (BINDERY_PROVEN_HOSTS: string) =>
    loadConfig({
      MONGODB_URI: 'mongodb://m',
      REDIS_URL: 'redis://r',
      BINDERY_SECRET_KEY: '0'.repeat(64),
      BINDERY_PROVEN_HOSTS,
    }).api.provenHosts;

  it('are host names, in upper or lower case', () => {
    expect(hostsOf(' Docs.Example.com, wiki.example.org ,')).toEqual([
      'docs.example.com',
      'wiki.example.org',
    ]);
    expect(hostsOf('')).toEqual([]);
  });

  it.each([
    'docs.example.com/path',
    'docs.example.com:8443',
    'https://docs.example.com',
    '*.example.com',
    'localhost',
    'docs.example.com wiki.example.org',
  ])('reject %s, which would match no site', (entry) => {
    expect(() => hostsOf(`www.example.com,${entry}`)).toThrow(
      `BINDERY_PROVEN_HOSTS: must be host names such as docs.example.com, without scheme, port, path or *; ${entry} is none`,
    );
  });
});

describe('the engines of translations', () => {
  const engines = (list?: string) =>
    load({ ...(list !== undefined && { BINDERY_TRANSLATION_ENGINES: list }) }).translation.engines;

  it('are a list in the order of the operator, which is never empty', () => {
    expect(engines('pseudo-locale, apertium')).toEqual(['pseudo-locale', 'apertium']);
    expect([engines(), engines(''), engines(',')]).toEqual(Array(3).fill(['apertium']));
  });

  it('are refused when one is unknown or named twice', () => {
    expect(() => engines('apertium,google')).toThrow(/must be names of apertium, .*; google is none/);
    expect(() => engines('apertium,apertium')).toThrow('must have each name once');
  });
});

describe('an OpenID Connect provider', () => {
  const provider = {
    BINDERY_OIDC_ISSUER: 'https://accounts.example.org/realms/main',
    BINDERY_OIDC_CLIENT_ID: 'console',
    BINDERY_OIDC_CLIENT_SECRET: 'secret',
  };

  it('is optional, and complete if it is set', () => {
    expect(load({}).openId).toBeUndefined();
    expect(load(provider).openId).toEqual({
      issuer: 'https://accounts.example.org/realms/main',
      clientId: 'console',
      clientSecret: 'secret',
      label: 'single sign-on',
    });
    expect(load({ ...provider, BINDERY_OIDC_ISSUER: 'http://127.0.0.1:9' }).openId?.issuer).toContain('127');
  });

  it.each([
    [{ ...provider, BINDERY_OIDC_CLIENT_SECRET: '' }, 'BINDERY_OIDC_CLIENT_SECRET: is not set'],
    [{ BINDERY_OIDC_CLIENT_ID: 'console' }, 'BINDERY_OIDC_ISSUER: is not set'],
    [{ ...provider, BINDERY_OIDC_ISSUER: 'http://idp.example.org' }, 'must begin with https://'],
    [{ ...provider, BINDERY_OIDC_ISSUER: 'https://me:x@idp.example.org' }, 'without user name'],
    [
      { ...provider, BINDERY_OIDC_ISSUER: 'https://idp.example.org/.well-known/openid-configuration' },
      'must be the issuer itself',
    ],
  ])('is refused: %o', (environment, text) => {
    expect(() => load(environment)).toThrow(text);
  });
});

describe('a bucket', () => {
  const bucket = { BINDERY_S3_BUCKET: 'docs', BINDERY_S3_ENDPOINT: 'https://s3.internal/' };

  it('is optional, and complete if it is set', () => {
    expect(load({}).storage).toMatchObject({ blobStore: 'gridfs', s3: undefined });
    expect(load({ ...bucket, BINDERY_S3_PREFIX: 'a/b/', BINDERY_S3_PATH_STYLE: 'true' }).storage.s3).toEqual({
      bucket: 'docs',
      endpoint: 'https://s3.internal',
      region: 'us-east-1',
      prefix: 'a/b/',
      isPathStyle: true,
      keys: undefined,
      publicEndpoint: undefined,
    });
    expect(
      load({ ...bucket, BINDERY_S3_ACCESS_KEY_ID: 'i', BINDERY_S3_SECRET_ACCESS_KEY: 's' }).storage.s3?.keys,
    ).toEqual({ id: 'i', secret: 's' });
  });

  it.each([
    [{ BINDERY_BLOB_STORE: 's3' }, 'BINDERY_S3_BUCKET: is not set'],
    [{ ...bucket, BINDERY_S3_ACCESS_KEY_ID: 'i' }, 'BINDERY_S3_SECRET_ACCESS_KEY: is not set'],
    [{ ...bucket, BINDERY_S3_SECRET_ACCESS_KEY: 's' }, 'BINDERY_S3_ACCESS_KEY_ID: is not set'],
    [{ ...bucket, BINDERY_S3_PREFIX: 'docs' }, 'BINDERY_S3_PREFIX: must be folders that end in `/`'],
    [
      { ...bucket, BINDERY_S3_PUBLIC_ENDPOINT: 'https://docs.test:9', BINDERY_APP_URL: 'https://docs.test' },
      'BINDERY_S3_PUBLIC_ENDPOINT: must have another host than the API and the app',
    ],
    [{ BINDERY_S3_ENDPOINT: 'ftp://s3' }, 'BINDERY_S3_ENDPOINT: must be a URL'],
    [{ BINDERY_S3_ENDPOINT: 'https://i:s@s3' }, 'BINDERY_S3_ENDPOINT: must contain no login'],
  ])('is refused as %o', (variables, problem) => {
    expect(() => load(variables)).toThrow(problem);
  });

  it('is refused to outbound requests', () => {
    expect(load(bucket).outbound.refused).toContain('s3.internal:443');
  });
});
