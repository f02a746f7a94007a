/**
 * Calls a function for each item, a few at a time, and yields the results in the order of the items. After an
 * error, or when nobody reads on, no further call begins.
 */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  call: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const started: Promise<Result>[] = [];
  for (let index = 0; index < items.length; index += 1) {
    while (started.length < atOnce && index + started.length < items.length) {
      const next = call(items[index + started.length] as Item);
      // The reader sees its failure in turn.
      next.catch(() => undefined);
      started.push(next);
    }
    yield await (started.shift() as Promise<Result>);
  }
}
