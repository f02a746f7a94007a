export { readArchive, type ArchiveLimits } from './readArchive.ts';
