import { expect, it } from 'vitest';
import { together } from './together.ts';

/** Work whose batches the test answers, one at a time. */
function heldWork() {
  const batches: { items: number[]; answer: (answers: (number | Promise<number>)[] | Error) => void }[] = [];
  const work = async (items: number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<(number | Promise<number>)[]>();
    batches.push({
      items,
      answer: (answers) => (answers instanceof Error ? reject(answers) : resolve(answers)),
    });
    return promise;
  };
  return { batches, work };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('starts the first call immediately, and batches the calls that arrive during it', async () => {
  const { batches, work } = heldWork();
  const call = together(work, 3);
  const answers = [1, 2, 3, 4, 5].map((n) => call(n));
  await turn();
  expect(batches.map(({ items }) => items)).toEqual([[1]]);
  batches[0]!.answer([10]);
  await turn();
  expect(batches[1]!.items).toEqual([2, 3, 4]);
  batches[1]!.answer([20, 30, 40]);
  await turn();
  batches[2]!.answer([50]);
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
});

it('does not wait for promised answers', async () => {
  const { batches, work } = heldWork();
  const call = together(work);
  const late = Promise.withResolvers<number>();
  const [first, second] = [call(1), call(2)];
  batches[0]!.answer([late.promise]);
  await turn();
  batches[1]!.answer([20]);
  expect(await second).toBe(20);
  late.resolve(10);
  expect(await first).toBe(10);
});

it('rejects all calls of a failed batch, and continues with the next one', async () => {
  const { batches, work } = heldWork();
  const call = together(work);
  const first = call(1);
  const others = [call(2), call(3)].map((one) => one.catch((error: Error) => error.message));
  batches[0]!.answer([10]);
  expect(await first).toBe(10);
  await turn();
  batches[1]!.answer(new Error('away'));
  expect(await Promise.all(others)).toEqual(['away', 'away']);
  const last = call(4);
  batches[2]!.answer([40]);
  expect(await last).toBe(40);
});
