import { median, type Part } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import type { MemoryFigures } from './memoryReader.ts';

const rounds = 5;
const lookUps = 40;

/** Compares look-ups in a large memory with those in a small one, alternately. */
export async function measureMemory({
  few,
  many,
  uriOf,
}: {
  few: number;
  many: number;
  uriOf: (database: string) => string;
}): Promise<Part> {
  const memories = await Promise.all(
    [few, many].map(async (size) => {
      const file = new URL('memoryReader.ts', import.meta.url);
      const program = await startProgram(file, { MONGODB_URI: uriOf(`memory${size}`) });
      return { program, size, samples: [] as number[] };
    }),
  );
  let fillMs = 0;
  for (const { program, size } of memories) {
    console.error(`filling: ${size} translations`);
    const startMs = performance.now();
    await program.ask({ fill: size });
    fillMs = performance.now() - startMs;
  }
  for (let round = 0; round <= rounds; round += 1)
    for (const { program, size, samples } of memories) {
      const figures = await program.ask<MemoryFigures>({ lookUps, of: size });
      // The first round is a warm-up.
      if (round > 0) samples.push(...figures.samples);
    }
  for (const { program } of memories) await program.stop();
  const [reference, ours] = memories.map(({ samples }) => median(samples)) as [number, number];
  return {
    rows: [
      {
        name: `look-ups in a memory of ${many.toLocaleString('en')} texts, against ${few.toLocaleString('en')}`,
        reference: `${reference.toFixed(1)} µs a text`,
        ours: `${ours.toFixed(1)} µs`,
        ratio: ours / reference,
        goal: '<= 2',
        isMet: ours <= 2 * reference,
      },
    ],
    notes: [
      `Memory: 500 texts in one look-up, at random, each with two keys. Storing took ${((fillMs * 1_000) / many).toFixed(0)} µs a text.`,
    ],
  };
}
