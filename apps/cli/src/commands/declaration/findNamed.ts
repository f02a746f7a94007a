import { Refusal } from '../../refusal.ts';

type Named = { id: string; title: string };

/**
 * Finds what a declaration means: by its id, else by its title among the things at the same place.
 *
 * @returns undefined when it is yet to be made
 * @throws Refusal for an unknown id, and when several have the title
 */
export function findNamed<Item extends Named>(
  items: readonly Item[],
  {
    name,
    id,
    title,
    isHere,
  }: { name: string; id?: string | undefined; title: string; isHere(item: Item): boolean },
): Item | undefined {
  if (id !== undefined) {
    const found = items.find((item) => item.id === id);
    if (!found) throw new Refusal(`${name}: the organization has none with the id ${id}.`);
    return found;
  }
  const found = items.filter((item) => item.title === title && isHere(item));
  if (found.length > 1)
    throw new Refusal(
      `${name}: ${found.length} have the title "${title}" at this place. Give the \`id\` of the right one.`,
      found.map((item) => `id: ${item.id}`),
    );
  return found[0];
}
