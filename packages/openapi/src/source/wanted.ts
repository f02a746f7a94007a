/** Pointers as a tree of keys; the offset is that of the key, or of the element of a list. */
export type Wanted = { children: Map<string, Wanted>; offset?: number };
