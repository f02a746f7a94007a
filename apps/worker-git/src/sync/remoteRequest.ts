import { settingsForChild } from '@bindery/outbound';
import type { Config } from '@bindery/runtime';
import { openCredential } from './credential.ts';

type Asking = {
  config: Config;
  input: { url: string; ref: string; projectDirectory: string };
  run: { job: { _id: string } };
  workFolder: string;
};

/** What the process that talks to a remote repository is told of it, whatever it shall do there; with the login, opened. */
export async function remoteRequest({ config, input: { url, ref, projectDirectory }, run, workFolder }: Asking) {
  const login = await openCredential(config, run.job._id);
  return { url, ...login, ref, projectDirectory, outbound: settingsForChild(config.outbound), limits: config.git, workFolder };
}
