import { checkOperations } from './checkOperations.ts';
import { checkSchema } from './checkSchema.ts';
import { checkSchemas } from './checkSchemas.ts';
import { checkSecurity } from './checkSecurity.ts';
import type { CheckContext } from './context.ts';

/** Checks a bundled document; its references are checked where they are followed. */
export async function checkDocument(
  context: CheckContext,
  validatorFolder: string | undefined,
): Promise<void> {
  await checkSchema(context, validatorFolder);
  checkOperations(context);
  checkSchemas(context);
  checkSecurity(context);
}
