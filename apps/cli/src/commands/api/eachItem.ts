import type { ApiAccess } from './apiAccess.ts';

/**
 * Yields the items of a list, over as many answers as it takes.
 *
 * @param pathOf  the path of an answer by its page, which is undefined for the first one
 */
export async function* eachItem<Item>(
  api: ApiAccess,
  pathOf: (page: string | undefined) => string,
): AsyncGenerator<Item> {
  for (let page: string | undefined; ;) {
    const { items, next } = (await api.get(pathOf(page))) as unknown as {
      items: Item[];
      next?: { page: string };
    };
    yield* items;
    if (!next) return;
    ({ page } = next);
  }
}
