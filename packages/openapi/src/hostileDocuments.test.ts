import { describe, expect, it } from 'vitest';
import { readText, specificationUrl } from '../../../test/support/specifications.ts';
import { FileRefused, readSpecification } from './index.ts';

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';

/** Aliases that each stand for ten of the one before. */
function aliasBomb(levels: number, value = 'x'): string {
  const lines = [`x-0: &a0 ["${value}"]`];
  for (let level = 1; level <= levels; level += 1)
    lines.push(
      `x-${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  return `${head}paths: {}\n${lines.join('\n')}\n`;
}

/** Schemas that each refer twice to the next. */
function doublingSchemas(levels: number): object {
  const schemas = Array.from({ length: levels }, (_, level) => {
    const $ref = `#/components/schemas/S${Math.min(level + 1, levels - 1)}`;
    const properties = level === levels - 1 ? {} : { a: { $ref }, b: { $ref } };
    return [`S${level}`, { type: 'object', properties }] as const;
  });
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  };
}

describe('refuses', () => {
  it.each([
    ['an alias bomb', aliasBomb(10), 'too-large'],
    ['an alias bomb of long texts', aliasBomb(4, 'x'.repeat(20_000)), 'too-large'],
    ['an alias that contains itself', `${head}paths: {}\nx-a: &a [*a]\n`, 'too-deep'],
    ['a mapping that contains itself', `${head}paths: &a\n  /a: *a\n`, 'too-deep'],
    ['a bomb of merged keys', mergeBomb(), 'too-large'],
    [
      'too many aliases',
      `${head}paths: {}\nx-a: &a 1\nx-b: [${Array(10_001).fill('*a').join(',')}]\n`,
      'syntax',
    ],
    [
      'lists in lists of JSON',
      `{"openapi":"3.1.0","paths":{},"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      'too-deep',
    ],
    ['lists in lists that do not end', `{"openapi":"3.1.0","paths":${'['.repeat(200_000)}`, 'syntax'],
    ['lists in lists of YAML', `${head}x: ${'['.repeat(5_000)}${']'.repeat(5_000)}\npaths: {}\n`, 'syntax'],
  ])('%s', async (_name, text, rule) => {
    const read = await readText(text);
    expect(read.isUsable).toBe(false);
    expect(read.findings.map((finding) => finding.rule)).toEqual([rule]);
  });

  it('a document that is larger than the limit', async () => {
    const read = await readText(`${head}paths: {}\n`, { limits: { fileBytes: 20 } });
    expect(read.findings.map(({ rule }) => rule)).toEqual(['too-large']);
  });
});

function mergeBomb(): string {
  const lines = ['x-0: &a0 { k: v }'];
  for (let level = 1; level <= 10; level += 1) {
    const members = Array.from({ length: 10 }, (_, index) => `k${index}: { <<: *a${level - 1} }`);
    lines.push(`x-${level}: &a${level} { ${members.join(', ')} }`);
  }
  return `${head}paths: {}\n${lines.join('\n')}\n`;
}

it('reads schemas that refer to each other twice per level as they are', async () => {
  const read = await readText(doublingSchemas(24));
  if (!read.isUsable) throw new Error('not usable');
  expect(read.findings).toEqual([]);
  expect(read.bundle.length).toBeLessThan(4_000);
  expect(read.reader.length).toBeLessThan(4_000);
});

it('reads merged keys as YAML defines them', async () => {
  const read = await readText(
    `${head}x-base: &base { type: object, description: base }\npaths: {}\ncomponents:\n  schemas:\n    A:\n      <<: *base\n      description: own\n`,
  );
  if (!read.isUsable) throw new Error('not usable');
  expect(JSON.parse(read.bundle)).toMatchObject({
    components: { schemas: { A: { type: 'object', description: 'own' } } },
  });
  expect(read.findings).toEqual([]);
});

it('keeps names that have a meaning in JavaScript', async () => {
  const names = ['__proto__', 'constructor', 'toString', '$ref', 'x-a', 'example', 'default'];
  const schemas = names.map(
    (name) => `${JSON.stringify(name)}:{"type":"object","properties":{"a":{"type":"string"}}}`,
  );
  const read = await readText(
    `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{${schemas.join(',')}}}}`,
  );
  if (!read.isUsable) throw new Error('not usable');
  expect(read.index.schemas).toEqual(names);
  expect(read.bundle).toContain('"__proto__":{"type":"object"');
  expect(read.reader).toContain('"__proto__":{"type":"object"');
});

it('counts all findings and keeps a thousand', async () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `    A${index}: { $ref: "#/nothing${index}" }\n`);
  const read = await readText(`${head}components:\n  schemas:\n${names.join('')}`);
  expect([read.isUsable, read.findings.length, read.findingCount]).toEqual([true, 1_000, 3_000]);
});

it.each(['3.0.0', '3.1.0'])('stops at ten thousand faults of %s', async (openapi) => {
  const faulty = { get: { unknown: 1, responses: { '200': { unknown: 1 } } } };
  const paths = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`/a${index}`, faulty]));
  const read = await readText({ openapi, info: { title: 'T', version: '1' }, paths });
  expect([read.isUsable, read.findings.length]).toEqual([true, 1_000]);
  expect(read.findings[0]?.rule).toBe('too-many-faults');
});

it('requests each of 3,000 hosts once, up to the limit of files, and continues', async () => {
  const names = Array.from({ length: 3_500 }, (_, index) => {
    const ref = `https://h${index}.example/a.json`;
    return `    A${index}: { $ref: "${ref}" }\n    B${index}: { $ref: "${ref}#/b" }\n`;
  });
  const asked: string[] = [];
  const read = await readSpecification(
    { url: specificationUrl, bytes: Buffer.from(`${head}components:\n  schemas:\n${names.join('')}`) },
    {
      async loadFile(url) {
        asked.push(url);
        throw new FileRefused('This host is not allowed.');
      },
    },
  );
  expect([asked.length, new Set(asked).size]).toEqual([2_999, 2_999]);
  expect([read.isUsable, read.findingCount]).toEqual([true, 7_000]);
});

it('passes on every address to the caller, and reads nothing itself', async () => {
  const refs = [
    'file:///etc/hostname',
    '/etc/hostname',
    '../../../etc/hostname',
    'ftp://a.example/b',
    'data:,1',
  ];
  const asked: string[] = [];
  const schemas = Object.fromEntries(refs.map(($ref, index) => [`S${index}`, { $ref }]));
  const entry = { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths: {}, components: { schemas } };
  const read = await readSpecification(
    { url: 'bindery-text:///openapi.json', bytes: Buffer.from(JSON.stringify(entry)) },
    {
      async loadFile(url) {
        asked.push(url);
        throw new FileRefused(`${url} is not allowed.`);
      },
    },
  );
  expect(asked.toSorted()).toEqual([
    'bindery-text:///etc/hostname',
    'data:,1',
    'file:///etc/hostname',
    'ftp://a.example/b',
  ]);
  expect(read.findings.every(({ rule }) => rule === 'file-refused')).toBe(true);
});

it('fails with the error of the caller unless it refuses a file', async () => {
  const reading = readSpecification(
    { url: specificationUrl, bytes: Buffer.from(`${head}paths: { $ref: ./paths.yaml }\n`) },
    { loadFile: () => Promise.reject(new Error('aborted')) },
  );
  await expect(reading).rejects.toThrow('aborted');
});

it('hides the login of a URL in findings', async () => {
  const url = 'https://user:SECRET@api.example/openapi.yaml';
  const read = await readSpecification(
    { url, bytes: Buffer.from(`${head}paths:\n  /a: { $ref: ./a.yaml#/x }\n  /b: { $ref: ./b.yaml }\n`) },
    {
      async loadFile(asked) {
        if (asked.includes('b.yaml')) return { url: asked, bytes: Buffer.from('{ ]') };
        return { url: asked, bytes: Buffer.from('{}') };
      },
    },
  );
  expect(read.findingCount).toBe(2);
  expect(JSON.stringify(read.findings)).not.toContain('SECRET');
});
