/** The fixed words around the content of a site, in one language. */
export type Words = {
  search: string;
  close: string;
  enterWords: string;
  pagesFound: (count: number) => string;
  searchFailed: string;
  copy: string;
  copied: string;
};
