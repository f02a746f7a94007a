/**
 * Batches calls: the first starts immediately, and calls that arrive during it form the next batch. A single
 * call is not delayed; many calls share one round trip to the database.
 *
 * @param work  returns the answers of a batch in its order, or promises of them; an error that it throws
 *   rejects all calls of the batch
 */
export function together<Item, Answer>(
  work: (items: Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  most = 100,
): (item: Item) => Promise<Answer> {
  type Call = {
    item: Item;
    resolve: (answer: Answer | Promise<Answer>) => void;
    reject: (error: unknown) => void;
  };
  let waiting: Call[] = [];
  let isWorking = false;
  const workOff = async () => {
    isWorking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const answers = await work(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWorking = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWorking) void workOff();
    });
}
