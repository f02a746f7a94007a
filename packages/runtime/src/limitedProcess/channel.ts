import { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** The file descriptor of a child's channel to the process that started it. */
export const channelDescriptor = 3;

/**
 * The largest message from a child; even the reading of a repository with the most entries allowed is
 * smaller.
 */
export const largestChildMessageBytes = 256 * 1024 * 1024;

/** The largest length that fits in four bytes. */
const largestMessageBytes = 2 ** 32 - 1;

const headBytes = 4;

/** Opens the channel of this process to the process that started it. */
export function openChannel(): Socket {
  return new Socket({ fd: channelDescriptor });
}

/**
 * Sends structured data, preceded by its length in four bytes. Not Node's own channel, which trusts its peer:
 * malformed bytes, or a length of gigabytes, would crash the reading process.
 *
 * Resolves when the peer's pipe has all of it, or when the peer is gone.
 * @throws RangeError for a message that exceeds `largestBytes`; the error of `serialize` for values that
 *   cannot be sent, such as a function
 */
export async function sendMessage(
  socket: Socket,
  message: unknown,
  largestBytes = largestMessageBytes,
): Promise<void> {
  if (!socket.writable) return;
  const body = serialize(message);
  if (body.length > largestBytes)
    throw new RangeError('Invalid array buffer length: a message between processes is too large.');
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(body.length);
  socket.cork();
  socket.write(head);
  const written = new Promise<void>((resolve) => socket.write(body, () => resolve()));
  socket.uncork();
  return written;
}

/**
 * Reads messages of `sendMessage`. While the socket is paused, `onMessage` gets nothing.
 *
 * @param onMessage  its errors, like malformed bytes, go to `onBroken`; reading then ends
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
  /** The length of the body, once its header was read. */
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
