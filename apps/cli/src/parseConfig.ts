import { loadConfig, type Config } from '@bindery/runtime';
import { Refusal } from './refusal.ts';

/** @throws Refusal  that names every invalid variable */
export function parseConfig(environment: NodeJS.ProcessEnv): Config {
  try {
    return loadConfig(environment);
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error), [], { cause: error });
  }
}
