import type { EngineOffer } from '@bindery/contract';
import type { Engine } from '../engine.ts';
import { labelOf } from './engineKinds.ts';
import { pairsOf } from './pairs.ts';

/** Describes an engine for other processes. */
export function offerOf(engine: Engine): EngineOffer {
  return { name: engine.name, label: labelOf(engine.name), pairs: pairsOf(engine), abilities: engine.can };
}

/** Describes an engine that does not start. @param reason  for every reader: no path, no address */
export function missingOffer(name: string, reason: string): EngineOffer {
  return { name, label: labelOf(name), pairs: [], reason };
}
