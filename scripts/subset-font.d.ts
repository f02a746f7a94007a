declare module 'subset-font' {
  type Options = {
    targetFormat: 'woff2';
    /** OpenType features; default: all. */
    keepFeatures?: readonly string[];
    /** Drops the hints for coarse screens. */
    noHinting?: boolean;
    variationAxes?: Readonly<Record<string, { min: number; max: number }>>;
  };
  /** Makes a font with only the characters of a text. */
  export default function subsetFont(font: Uint8Array, text: string, options: Options): Promise<Buffer>;
}
