import mongoose, { type Schema } from 'mongoose';
import { describe, expect, it } from 'vitest';
import '../index.ts';
import { sealedSecretSchema } from '../database/sealedSecret.ts';
import { sealedFields } from './sealedFields.ts';

/** The paths of a schema that have a sealed secret. */
function sealedPathsIn(schema: Schema): string[] {
  const paths: string[] = [];
  schema.eachPath((path, type) => {
    const inner = type.schema;
    if (inner && isSealed(inner)) paths.push(path);
    else if (inner) paths.push(...sealedPathsIn(inner).map((below) => `${path}.${below}`));
  });
  return paths;
}

/** A model has copies of the schemas in it. */
function isSealed(schema: Schema): boolean {
  return schema.path('ciphertext') !== undefined && schema.path('keyId') !== undefined;
}

describe('the fields with sealed secrets', () => {
  it('include every sealed field of the schemas, except the answers that expire after a day', () => {
    expect(isSealed(sealedSecretSchema)).toBe(true);
    const inSchemas = Object.values(mongoose.models).flatMap(({ modelName, schema }) =>
      sealedPathsIn(schema).map((path) => `${modelName}.${path}`),
    );
    const listed = sealedFields.map(({ model, path }) => `${model.modelName}.${path}`);
    expect(inSchemas.toSorted()).toEqual([...listed, 'IdempotencyKey.answer'].toSorted());
  });
});
