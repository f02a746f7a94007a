import type { Html } from '@bindery/html';
import { roleField } from './roleField.ts';

/**
 * A choice of the role that members have in a space or a collection without a grant. The API shows the role
 * that results, so that "as set" cannot be told, and is kept unless another one is chosen.
 */
export function levelField({ shown, value }: { shown: string | null; value: string | undefined }): Html {
  return roleField(
    { name: 'defaultLevel', label: 'Role of members without a grant', hint: `Now: ${shown ?? 'none'}.` },
    {
      value: value ?? '',
      none: 'None: closed to members without a grant',
      first: [
        ['', 'Leave as it is'],
        ['inherit', 'Inherited from the collection above, or the role of the member'],
      ],
    },
  );
}
