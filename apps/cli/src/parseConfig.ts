import {
  loadBlobConfig,
  loadConfig,
  loadSecretKeys,
  messageOf,
  type Config,
  type SecretKeys,
} from '@bindery/runtime';
import { Refusal } from './refusal.ts';

/** @throws Refusal  that names every invalid variable */
export function parseConfig(environment: NodeJS.ProcessEnv): Config {
  return orRefusal(() => loadConfig(environment));
}

/** Where the bytes of files are. @throws as `parseConfig` */
export function parseBlobConfig(environment: NodeJS.ProcessEnv): ReturnType<typeof loadBlobConfig> {
  return orRefusal(() => loadBlobConfig(environment));
}

/** The keys that seal secrets. @throws as `parseConfig` */
export function parseSecretKeys(environment: NodeJS.ProcessEnv): SecretKeys {
  return orRefusal(() => loadSecretKeys(environment));
}

function orRefusal<Result>(load: () => Result): Result {
  try {
    return load();
  } catch (error) {
    throw new Refusal(messageOf(error), [], { cause: error });
  }
}
