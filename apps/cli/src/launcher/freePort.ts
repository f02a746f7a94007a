import { createServer } from 'node:net';

/** Whether a port can be listened on; 0 asks for any. Returns the port, or undefined when it is taken. */
export function tryPort(port: number, host = '127.0.0.1'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.unref();
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === 'object' && address ? address.port : undefined;
      server.close(() => resolve(found));
    });
  });
}

/** The wanted port where it is free, else any free one. */
export async function freePort(wanted?: number): Promise<number> {
  const port = (wanted && (await tryPort(wanted))) || (await tryPort(0));
  if (port === undefined) throw new Error('This machine has no free port on 127.0.0.1.');
  return port;
}
