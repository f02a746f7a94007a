/** Factories of test data: one of each object, made as the platform makes it. */
export * from './factories/content.ts';
export * from './factories/people.ts';
export * from './factories/sites.ts';
export * from './factories/spaces.ts';
export * from './factories/specs.ts';
export * from './factories/threads.ts';
