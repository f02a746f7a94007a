export * from './errorBody.ts';
export * from './errors.ts';
export * from './input.ts';
export * from './job.ts';
export * from './jobErrors.ts';
export * from './role.ts';
