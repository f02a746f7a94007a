import { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** The descriptor at which a process finds the channel to the one that started it. */
export const channelDescriptor = 3;

/** Of a message that a child sends: the reading of a repository with as many entries as one may have is smaller. */
export const largestChildMessageBytes = 256 * 1024 * 1024;

/** The largest length that four bytes hold. */
const largestMessageBytes = 2 ** 32 - 1;

const headBytes = 4;

/** The channel of this process to the one that started it. */
export function openChannel(): Socket {
  return new Socket({ fd: channelDescriptor });
}

/**
 * Sends structured data, with its length before it in four bytes. Not Node's own channel: that one trusts the other side, and bytes that are no
 * message, or say that gigabytes follow, end the process that reads them.
 *
 * Resolves when the other side's pipe has all of it, or there is no other side any more.
 * @throws RangeError for a message that is larger; the error of `serialize` for what cannot be sent, such as a function
 */
export async function sendMessage(socket: Socket, message: unknown, largestBytes = largestMessageBytes): Promise<void> {
  if (!socket.writable) return;
  const body = serialize(message);
  if (body.length > largestBytes) throw new RangeError('Invalid array buffer length: a message between processes is too large.');
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(body.length);
  socket.cork();
  socket.write(head);
  const written = new Promise<void>((resolve) => socket.write(body, () => resolve()));
  socket.uncork();
  return written;
}

/**
 * Reads what `sendMessage` sent. While the socket is paused, `onMessage` gets nothing.
 *
 * @param onMessage  its error, and bytes that are no message, go to `onBroken`; nothing is read after that
 */
export function readMessages(
  socket: Socket,
  {
    largestBytes = largestMessageBytes,
    onMessage,
    onBroken,
  }: { largestBytes?: number; onMessage(message: unknown): void; onBroken(error: Error): void },
): void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** Of the body that follows, once its head was read. */
  let bodyBytes: number | undefined;

  const take = (length: number): Buffer => {
    const all = held.length === 1 ? held[0]! : Buffer.concat(held);
    held = all.length === length ? [] : [all.subarray(length)];
    heldBytes -= length;
    return all.subarray(0, length);
  };
  const readHead = () => {
    const length = take(headBytes).readUInt32LE();
    if (length > largestBytes) throw new RangeError(`A process announced a message of ${length} bytes.`);
    return length;
  };
  const work = () => {
    try {
      while (!socket.destroyed && !socket.isPaused() && heldBytes >= (bodyBytes ?? headBytes)) {
        if (bodyBytes === undefined) {
          bodyBytes = readHead();
        } else {
          const body = take(bodyBytes);
          bodyBytes = undefined;
          onMessage(deserialize(body));
        }
      }
    } catch (error) {
      socket.destroy();
      onBroken(new Error('A process sent a message that is none.', { cause: error }));
    }
  };
  socket.on('data', (chunk: Buffer) => {
    held.push(chunk);
    heldBytes += chunk.length;
    work();
  });
  socket.on('resume', work);
}
