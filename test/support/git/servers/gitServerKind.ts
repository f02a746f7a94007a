import type { GitRepository, RepositoryFiles } from '../gitRepository.ts';

export type GitServerLogin = { username: string; password: string };

/** A real git server on loopback other than `git http-backend` behind our own program. */
export type OtherGitServer = {
  url: string;
  hostPort: string;
  createRepository(name: string, files: RepositoryFiles): Promise<GitRepository & { url: string }>;
  close(): Promise<void>;
};

export type GitServerKind = {
  name: string;
  /** Installs the server's dependencies. @returns the reason why it cannot run on this machine, if any */
  prepare(): Promise<string | undefined>;
  /** @param login  required for every request; without it, access is anonymous */
  start(login?: GitServerLogin): Promise<OtherGitServer>;
};
