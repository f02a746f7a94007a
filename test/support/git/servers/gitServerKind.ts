import type { GitRepository, RepositoryFiles } from '../gitRepository.ts';

export type GitServerLogin = { username: string; password: string };

/** A real git server on loopback that is not `git http-backend` behind our own program. */
export type OtherGitServer = {
  url: string;
  hostPort: string;
  createRepository(name: string, files: RepositoryFiles): Promise<GitRepository & { url: string }>;
  close(): Promise<void>;
};

export type GitServerKind = {
  name: string;
  /** Installs what the server needs. @returns why it cannot run on this machine, or undefined when it can */
  prepare(): Promise<string | undefined>;
  /** @param login  what every request has to bring; anybody may read and write without */
  start(login?: GitServerLogin): Promise<OtherGitServer>;
};
