import { z } from 'zod';

// The words in which the tables of fields beside this file are written.

export const text = z.string();

export const id = z.string().min(1);

export const time = z.iso.datetime();

export const url = z.url();

export const count = z.number().int().min(0);

export const flag = z.boolean();

export const Role = z.enum(['admin', 'create', 'review', 'edit', 'comment', 'read']).nullable();

export const TeamRole = z.enum(['owner', 'member']);

export const flags = (...names: string[]) =>
  z.looseObject(Object.fromEntries(names.map((name) => [name, flag])));

export const kind = <K extends string, S extends z.ZodRawShape>(object: K, shape: S) =>
  z.looseObject({ object: z.literal(object), ...shape });

export const condition = z.string().min(1).max(1024);

export const Variables = z.record(text, z.union([text, z.number(), flag]));
