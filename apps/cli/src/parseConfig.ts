import { loadConfig, type Config, messageOf } from '@bindery/runtime';
import { Refusal } from './refusal.ts';

/** @throws Refusal  that names every invalid variable */
export function parseConfig(environment: NodeJS.ProcessEnv): Config {
  try {
    return loadConfig(environment);
  } catch (error) {
    throw new Refusal(messageOf(error), [], { cause: error });
  }
}
