import { fileURLToPath } from 'node:url';
import { median, type Part, type Row } from '../support/figures.ts';
import { githubPair, gitbookPair, type SpecificationPair } from './pairs.ts';
import { measureProgram, type ProgramFigures } from './measureProgram.ts';
import { oasdiffVersion, provideOasdiff } from './oasdiff.ts';

/** Whole processes, from start to end: read two documents, compare them, print all changes as JSON. */
export async function measureDiff(): Promise<Part> {
  const oasdiff = await provideOasdiff();
  const rows: Row[] = [];
  for (const pair of [gitbookPair(), await githubPair()]) rows.push(...(await measurePair(oasdiff, pair)));
  return {
    rows,
    notes: [
      `Comparison: oasdiff ${oasdiffVersion}, \`changelog --flatten-params\`. With \`--flatten-allof\`, which Bindery always does, this version of oasdiff needs more than 6 GB and 4 minutes for GitBook's API.`,
    ],
  };
}

async function measurePair(oasdiff: string, { name, before, after }: SpecificationPair): Promise<Row[]> {
  const theirs: ProgramFigures[] = [];
  const ours: ProgramFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(
      await measureProgram(oasdiff, ['changelog', '--flatten-params', '-f', 'json', before, after]),
    );
    ours.push(await measureProgram(process.execPath, [diffProgram, before, after]));
  }
  return [
    rowOf(`comparison of ${name}`, { theirs, ours, unit: 'ms', goal: 0.1, read: ({ ms }) => ms }),
    rowOf(`memory of it`, { theirs, ours, unit: 'MB', goal: 0.6, read: ({ peakBytes }) => peakBytes / 1e6 }),
    rowOf(`output of it`, {
      theirs,
      ours,
      unit: 'MB',
      goal: 1,
      read: ({ outputBytes }) => outputBytes / 1e6,
    }),
  ];
}

type Measured = {
  theirs: ProgramFigures[];
  ours: ProgramFigures[];
  unit: string;
  goal: number;
  read: (figures: ProgramFigures) => number;
};

function rowOf(name: string, { theirs, ours, unit, goal, read }: Measured): Row {
  const [reference, own] = [median(theirs.map(read)), median(ours.map(read))];
  const ratio = own / reference;
  return {
    name,
    reference: `${reference.toFixed(1)} ${unit}`,
    ours: `${own.toFixed(1)} ${unit}`,
    ratio,
    goal: `<= ${goal}x`,
    isMet: ratio <= goal,
  };
}

const rounds = 3;
const diffProgram = fileURLToPath(new URL('diffProgram.ts', import.meta.url));
