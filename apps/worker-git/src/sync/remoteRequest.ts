import { settingsForChild } from '@bindery/outbound';
import type { Config } from '@bindery/runtime';
import { openCredential } from './credential.ts';

type Asking = {
  config: Config;
  input: { url: string; ref: string; projectDirectory: string };
  run: { job: { _id: string } };
  workFolder: string;
};

/** Builds the part of a request that all works on a remote repository share, with the opened login. */
export async function remoteRequest({
  config,
  input: { url, ref, projectDirectory },
  run,
  workFolder,
}: Asking) {
  const login = await openCredential(config, run.job._id);
  return {
    url,
    ...login,
    ref,
    projectDirectory,
    outbound: settingsForChild(config.outbound),
    limits: config.git,
    workFolder,
  };
}
