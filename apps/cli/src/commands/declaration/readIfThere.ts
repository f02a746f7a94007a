import { ApiRefusal, type ApiAccess } from '../api/apiAccess.ts';

/** Reads from a path below `/v1`; undefined when nothing is there. @throws Refusal as `read` does */
export async function readIfThere(
  api: ApiAccess,
  path: string,
): Promise<Awaited<ReturnType<ApiAccess['read']>> | undefined> {
  try {
    return await api.read(path);
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 404) return undefined;
    throw error;
  }
}
