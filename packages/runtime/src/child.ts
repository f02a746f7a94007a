// The part of this package for child processes, without the libraries that only the platform's own processes
// use.
export { serveOneRequest } from './limitedProcess/serveOneRequest.ts';
