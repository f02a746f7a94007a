import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutbound, type Outbound } from '@bindery/outbound';

export type Call = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

/** Text is sent as it is. */
export type Response = {
  status: number;
  json?: unknown;
  text?: string;
  headers?: Record<string, string>;
};

/** Instead of the usual answer to a request: the whole response, or what becomes of the usual answers. */
export type Fault = Response | ((answers: string[]) => string[]);

/** A translation service that listens, and what was asked of it. */
export type TestService = {
  url: string;
  /** An outbound that may reach it. */
  outbound(): Outbound;
  calls: Call[];
  /** The next requests for translations get these, one each; then all are answered as usual. */
  faults: Fault[];
  close(): Promise<void>;
};

/**
 * Starts a service that speaks a protocol.
 *
 * @param answer  answers a request; it takes faults itself, where its protocol has them
 */
export async function startTestService(
  answer: (call: Call, takeFault: () => Fault | undefined) => Response,
): Promise<TestService> {
  const calls: Call[] = [];
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      calls.push(call);
      const { status, json, text = JSON.stringify(json ?? {}), headers } = answer(call, () => faults.shift());
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    });
  });
  server.listen(0, '127.0.0.2');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.2:${port}`,
    outbound: () => createOutbound({ allow: [`127.0.0.2:${port}`], refused: [] }),
    calls,
    faults,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Applies a fault to the usual answers, or returns the response that it is. */
export function faulty(fault: Fault | undefined, answers: string[]): string[] | Response {
  return typeof fault === 'function' ? fault(answers) : (fault ?? answers);
}
