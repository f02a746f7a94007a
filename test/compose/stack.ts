/** An answer of a command in a container. */
export type Answer = { code: number; output: string };

/** The installation of docker-compose.yml, with as many containers of each service as asked for. */
export type Stack = {
  /** How its containers run, for the report. */
  engine: string;
  /** Where requests to each container of the API go. */
  apiUrls(): Promise<string[]>;
  /** The address under which its containers reach servers of this test. */
  hostAddress: string;
  /** The services with workers, by their names in the file. */
  workers: readonly string[];
  /** Starts or stops containers until a service has this many; started ones are healthy afterwards. */
  scale(service: string, count: number): Promise<void>;
  /** Stops one container as a rolling restart does, and starts another one in its place. */
  restart(service: string, index: number): Promise<void>;
  /** Kills a container (SIGKILL); its restart policy starts it again. Resolves when it is healthy again. */
  kill(service: string): Promise<void>;
  /** Runs a command in the first container of a service. */
  run(service: string, command: readonly string[]): Promise<Answer>;
  /** The end of the output of all containers, for a failure. */
  logs(): Promise<string>;
  /** Ends all containers and removes what they stored. */
  down(): Promise<void>;
};

export type StackOptions = {
  /** Returns the addresses outside that containers may reach, as `BINDERY_OUTBOUND_ALLOW`. */
  allow: (hostAddress: string) => string;
};

/** The only engine that every machine has. */
export const settings = { BINDERY_TRANSLATION_ENGINES: 'pseudo-locale' };
