const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Inline elements. */
const inline = words(
  'a abbr b bdi bdo big br button cite code del dfn em font i img ins kbd mark picture q s samp small source span strike strong sub sup tt u var wbr',
);
const block = words(
  'address article aside blockquote caption center col colgroup dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr iframe li ' +
    'main nav ol option p pre section select summary table tbody td tfoot th thead tr ul',
);

/** Tells whether an element's tags are markup. All others, such as `<name>` or `<T>`, are meant as text. */
export function isKnownElement(name: string): boolean {
  return inline.has(name) || block.has(name);
}

export function isInlineElement(name: string): boolean {
  return inline.has(name);
}
