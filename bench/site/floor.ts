import type { Target } from '../http/load.ts';
import { startProgram } from '../support/programs.ts';

/** A bare server that answers with as many bytes as a page has. */
export type Floor = { target: Target; stop(): Promise<void> };

export async function startFloor(bytes: number): Promise<Floor> {
  const { ready, ask, stop } = await startProgram(new URL('floorServer.ts', import.meta.url), {});
  await ask(bytes);
  const { port } = ready as { port: number };
  return { target: { origin: `http://127.0.0.1:${port}`, path: '/' }, stop };
}
