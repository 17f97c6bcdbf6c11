export interface ExportFile {
  /** The file's name without its folder. */
  name: string;
  /** Size in bytes after inflating. */
  size: number;
  open: () => Promise<AsyncIterable<Uint8Array>>;
}

export const isCsvName = (name: string): boolean => /\.csv$/i.test(name) && !name.startsWith('.');

/** A file's name in a form that is safe to print: names in an archive may contain anything. */
export const tellName = (name: string): string =>
  /^[\p{L}\p{N} ._()+-]{1,160}$/u.test(name) ? name : 'a file with an odd name';
