import { SentinelConnector, type Redis } from 'ioredis';

type ErrorEmitter = Parameters<SentinelConnector['connect']>[0];

/** How long a server may take to answer the first command. */
const firstAnswerMs = 5_000;

/**
 * Connects to the Redis that its sentinels call the primary, and lets go of it when they name another one. A
 * primary that hangs, or whose machine is gone, closes no connection itself.
 *
 * Instead of the `failoverDetector` of ioredis, which ends a connection for good if the message about the
 * failover arrives while it reconnects, and prints an error for each sentinel that cannot be reached.
 */
export class FailoverConnector extends SentinelConnector {
  #watches: Redis[] = [];
  #failovers = 0;

  /** @param options  those of the connection: ioredis makes one connector for each */
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0]);
  }

  override async connect(emitError: ErrorEmitter) {
    if (this.#watches.length === 0) this.#watches = this.#watchSentinels();
    const failovers = this.#failovers;
    const stream = await super.connect(emitError);
    const letGo = () => {
      // A sentinel that did not know of the failover yet may have named the old primary.
      if (this.#failovers > failovers || stream.bytesRead === 0) stream.destroy();
    };
    if (this.#failovers > failovers) setImmediate(letGo);
    // The system accepts connections to a process that hangs.
    stream.once('connect', () => setTimeout(letGo, firstAnswerMs).unref());
    return stream;
  }

  override disconnect(): void {
    super.disconnect();
    for (const watch of this.#watches.splice(0)) watch.disconnect();
  }

  /** Each sentinel tells of a failover when it knows of it itself. */
  #watchSentinels(): Redis[] {
    return (this.options.sentinels ?? []).map((sentinel) => {
      const watch: Redis = this['connectToSentinel'](sentinel, {
        retryStrategy: () => 1_000,
        autoResubscribe: false,
      });
      watch.on('error', () => {});
      watch.on('ready', () => void watch.subscribe('+switch-master').catch(() => {}));
      watch.on('message', (_channel: string, text: string) => {
        if (!text.startsWith(`${this.options.name} `)) return;
        this.#failovers += 1;
        this.stream?.destroy();
      });
      return watch;
    });
  }
}
