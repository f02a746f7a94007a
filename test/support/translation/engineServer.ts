import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { pseudoLocale } from '@bindery/translation';

/** How a call of the engine is answered: with translations (200), or with an error. */
export type EngineMood = { status: number; headers?: Record<string, string> };

/** An engine over HTTP, which test/fixtures/translationWorker asks. */
export type EngineServer = {
  url: string;
  /** Decides the answer of each call. */
  mood: () => EngineMood;
  /** The status of each answer, in order. */
  answers: number[];
  /** All texts that it has translated. */
  translated: string[];
  /** The largest number of concurrent calls. */
  mostAtOnce(): number;
  close(): Promise<void>;
};

/** @param workMs  time that each call takes */
export async function startEngineServer(workMs: number): Promise<EngineServer> {
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    most = Math.max(most, (open += 1));
    response.once('close', () => (open -= 1));
    void json(request).then((texts) => {
      const { status, headers = {} } = engine.mood();
      setTimeout(() => {
        engine.answers.push(status);
        response.writeHead(status, headers);
        if (status !== 200) return response.end('{}');
        engine.translated.push(...(texts as string[]));
        return response.end(
          JSON.stringify((texts as string[]).map((text) => ({ text: pseudoLocale(text) }))),
        );
      }, workMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const engine: EngineServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    mood: () => ({ status: 200 }),
    answers: [],
    translated: [],
    mostAtOnce: () => most,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return engine;
}
