/**
 * Node options and variables for all API and worker processes, set by the launcher and in docker-compose.yml.
 *
 * By default Node 24 keeps up to 128 MB for new objects, and the C library keeps a memory arena per thread
 * that it does not return. A thousand listeners, each on a job of its own, made the API grow by 234 MB with
 * the defaults and by 146 MB with these.
 */
export const appNodeOptions = ['--max-semi-space-size=16'];
export const appMemoryVariables = { MALLOC_ARENA_MAX: '2' };
