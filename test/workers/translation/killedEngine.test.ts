import { openApertium } from '@bindery/engines';
import { describe, expect } from 'vitest';
import { apertiumPrograms } from '../../support/translation/engines/apertiumPrograms.ts';
import { it } from '../../support/translation/translating.ts';

const count = 150;
const perBatch = 50;
/** The victim, of the programs of a pipeline in their order; a negative number is a group of processes. */
const victims = {
  'all programs': (programs) => -(programs[0]?.group ?? 0),
  'the first program': (programs) => programs[0]?.pid,
  'a program in the middle': (programs) => programs[programs.length >> 1]?.pid,
  'the last program': (programs) => programs.at(-1)?.pid,
} satisfies Record<string, (programs: ReturnType<typeof apertiumPrograms>) => number | undefined>;

describe('a run whose engine is killed', { timeout: 180_000 }, () => {
  it.for(Object.entries(victims).map(([name, victimOf], index) => [name, victimOf, index] as const))(
    '(%s of Apertium) translates each text in its place, and leaves no process',
    async ([, victimOf, index], { translated, engine, onTestFinished }) => {
      const apertium = await openApertium({ root: '/' });
      if (!apertium) throw new Error('Install Apertium.');
      const before = { ...engine.wrapped };
      onTestFinished(async () => {
        Object.assign(engine.wrapped, before);
        await apertium.close();
      });
      const sizes: number[] = [];
      Object.assign(engine.wrapped, {
        batch: { texts: perBatch, characters: 100_000 },
        translate: (...request: Parameters<typeof apertium.translate>) => {
          const answers = apertium.translate(...request);
          // The second batch: all of its texts are in the pipeline, which no answer has left yet.
          if (sizes.push(request[0].length) === 2) process.kill(victimOf(apertiumPrograms()) ?? 0, 'SIGKILL');
          return answers;
        },
      });
      // The memory lasts for all cases, and has none of the texts of another.
      const numbers = Array.from({ length: count }, (_, number) => 1_000 * index + number);
      const source = numbers.map((number) => `The house number ${number} is blue.\n\n`).join('');
      const one = await translated([{ id: 'page', title: `House ${index}`, source }]);
      expect(one.first).toMatchObject({ state: 'succeeded', result: { kept: [] } });
      expect((await one.page('page')).text.trim().split('\n\n')).toEqual(
        numbers.map((number) => `El número de casa ${number} es azul.`),
      );
      // A batch that was answered is in the memory: no batch is sent again.
      expect(sizes).toEqual([perBatch, perBatch, perBatch, 1]);
      await apertium.close();
      expect(apertiumPrograms()).toEqual([]);
    },
  );
});
