import { classes } from '@bindery/dialect';
import type { PageElement } from './settle.ts';

export function addClass({ attributes }: PageElement, name: string): void {
  attributes.class = classes(attributes.class, name);
}
