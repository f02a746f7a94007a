// What the API needs to know of engines, without the engines.
export { readGate, type GateState } from '../gate/gate.ts';
export { enginesThatCould } from './engineKinds.ts';
export { hasPair } from './pairs.ts';
