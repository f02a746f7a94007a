/**
 * Node options and variables for all API and worker processes, set by the launcher and in docker-compose.yml.
 *
 * By default Node 24 keeps up to 128 MB for new objects, and lets old ones grow to a multiple of what is in
 * use before it collects them; the C library keeps a memory arena per thread that it does not return. With
 * the defaults, a thousand listeners, each on a job of its own, made the API grow by twice as much.
 */
export const appNodeOptions = ['--max-semi-space-size=16', '--heap-growing-percent=50'];
export const appMemoryVariables = { MALLOC_ARENA_MAX: '2' };
