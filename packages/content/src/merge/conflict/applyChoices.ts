import type { ChooseSide } from './choices.ts';
import { afterOf, settleParents, type Fate, type Sides } from '../mergeParents.ts';

/**
 * Applies the choices for positions of pages, and for pages that one side removed and the other changed. The
 * decisions of the rules about other pages stay, as far as the result is a tree.
 *
 * @param contested  ids of pages with a conflict of their positions
 */
export function applyChoices(
  fates: ReadonlyMap<string, Fate>,
  {
    sides,
    contested,
    choose,
  }: { sides: Pick<Sides, 'ours' | 'theirs'>; contested: ReadonlySet<string>; choose: ChooseSide },
): ReadonlyMap<string, Fate> {
  const chosen = new Map([...fates].map(([id, fate]) => [id, { ...fate }]));
  let isChosen = false;
  for (const fate of chosen.values()) {
    if (fate.isRemoved) continue;
    const [position, removal] = [
      contested.has(fate.id) ? choose({ page: fate.id }, 'position') : undefined,
      fate.isKept ? choose({ page: fate.id }, 'deleted') : undefined,
    ];
    const place = afterOf(fate.ours);
    if (position === 'ours' && place) {
      Object.assign(fate, { parent: place.parent?.id ?? null, placedBy: 'ours', isPinned: true });
      isChosen = true;
    }
    if (removal && fate[removal]?.kind === 'deleted') {
      Object.assign(fate, { isRemoved: true, isKept: false, isDropped: true });
      isChosen = true;
    }
  }
  if (isChosen) settleParents(chosen, sides);
  return isChosen ? chosen : fates;
}
