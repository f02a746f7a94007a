import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, type Event, type ScalarEvent } from 'js-yaml';
import type { Wanted } from './wanted.ts';

/** Sets the offsets of the wanted keys and elements of valid YAML. */
export function locateInYaml(text: string, root: Wanted): void {
  const events = parseEvents(text, { maxDepth: Number.MAX_SAFE_INTEGER });
  // The first event opens the document.
  valueAt(1, root);

  /** Returns the index of the event after the value. */
  function valueAt(start: number, wanted: Wanted | undefined): number {
    const event = events[start];
    if (!wanted || wanted.children.size === 0) return afterValue(events, start);
    if (event?.type === EVENT_ID.MAPPING) return membersAt(start + 1, wanted);
    if (event?.type === EVENT_ID.SEQUENCE) return elementsAt(start + 1, wanted);
    return afterValue(events, start);
  }

  function membersAt(start: number, { children }: Wanted): number {
    let at = start;
    while (isInside(events[at])) {
      const key = events[at];
      const child = key?.type === EVENT_ID.SCALAR ? children.get(getScalarValue(text, key)) : undefined;
      if (child && key?.type === EVENT_ID.SCALAR) child.offset = startOfScalar(key);
      at = valueAt(afterValue(events, at), child);
    }
    return at + 1;
  }

  function elementsAt(start: number, { children }: Wanted): number {
    let at = start;
    for (let index = 0; isInside(events[at]); index += 1) {
      const child = children.get(String(index));
      const event = events[at];
      if (child && event) child.offset = startOf(event);
      at = valueAt(at, child);
    }
    return at + 1;
  }
}

function isInside(event: Event | undefined): boolean {
  return event !== undefined && event.type !== EVENT_ID.POP;
}

/** The index after the value whose first event is at `start`. */
export function afterValue(events: readonly Event[], start: number): number {
  let depth = 0;
  let at = start;
  do {
    const type = events[at]?.type;
    if (type === EVENT_ID.POP) depth -= 1;
    else if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth += 1;
    at += 1;
  } while (depth > 0 && at < events.length);
  return at;
}

function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return startOfScalar(event);
  if (event.type === EVENT_ID.ALIAS) return Math.max(0, event.anchorStart - 1);
  return event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE ? event.start : 0;
}

/** The offset of a scalar with its quote. */
export function startOfScalar({ valueStart, style }: ScalarEvent): number {
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  return Math.max(0, isQuoted ? valueStart - 1 : valueStart);
}
