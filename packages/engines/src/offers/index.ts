// Describes engines for the API, without loading them.
export { readGate, type GateState } from '../gate/gate.ts';
export { enginesThatCould } from './engineKinds.ts';
export { hasPair } from './pairs.ts';
