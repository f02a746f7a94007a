export { apertiumNeeds, openApertium } from './apertium/apertium.ts';
export { apertiumPackages, type ApertiumFolder } from './apertium/modes.ts';
export { deeplUrl, openDeepl } from './deepl/deepl.ts';
export type { Engine, EngineAbilities, EngineAnswer, EngineRequest, LanguagePair } from './engine.ts';
export { createGate, readGate, type GateLimits, type RunScript } from './gate/gate.ts';
export { gatedEngine } from './gate/gatedEngine.ts';
export { enginesThatCould } from './offers/engineKinds.ts';
export { missingOffer, offerOf } from './offers/offerOf.ts';
export { pseudoLocaleEngine } from './pseudo-locale/pseudoLocaleEngine.ts';
