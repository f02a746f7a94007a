export { apertiumNeeds, openApertium } from './apertium/apertium.ts';
export { apertiumPackages, type ApertiumFolder } from './apertium/modes.ts';
export type { Engine, EngineAbilities, EngineAnswer, EngineRequest, LanguagePair } from './engine.ts';
export { EngineThrottled, engineQuotaExhausted } from './engineErrors.ts';
export { cannotTranslate, couldTranslate } from './engineKinds.ts';
export { createGate, readGate, type GateLimits, type GateState, type RunScript } from './gate/gate.ts';
export { gatedEngine } from './gate/gatedEngine.ts';
export { pseudoLocaleEngine } from './pseudo-locale/pseudoLocaleEngine.ts';
