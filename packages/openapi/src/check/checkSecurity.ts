import { pathItemsOf } from '../operations.ts';
import { isPart, listIn, partIn } from '../source/parts.ts';
import { pointerOf } from '../source/pointer.ts';
import type { CheckContext } from './context.ts';

/** Checks that the security schemes that operations require are declared. */
export function checkSecurity({ document, version, report }: CheckContext): void {
  const declared =
    version.minor === '2.0'
      ? partIn(document, 'securityDefinitions')
      : partIn(partIn(document, 'components'), 'securitySchemes');
  const holders = pathItemsOf(document, version.minor).flatMap(({ operations }) => operations);
  for (const { value, pointer } of [{ value: document, pointer: '' }, ...holders]) {
    for (const [index, requirement] of listIn(value, 'security').entries()) {
      for (const name of isPart(requirement) ? Object.keys(requirement) : []) {
        // In 3.2, the name may also be a URL.
        if ((declared && Object.hasOwn(declared, name)) || /[:/]/.test(name)) continue;
        report({
          severity: 'warning',
          rule: 'unknown-security-scheme',
          message: `No security scheme has the name "${name}".`,
          pointer: `${pointer}${pointerOf(['security', index, name])}`,
        });
      }
    }
  }
}
