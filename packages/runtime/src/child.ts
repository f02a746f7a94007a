// What a child process needs of this package, without the libraries that only the platform's own processes use.
export { serveOneRequest } from './limitedProcess/serveOneRequest.ts';
