/**
 * The tracker's entries of storage: the visitor's id, and the wish to be left out. No other module touches storage; without storage
 * the functions of the id throw.
 */

/** The parts of the stored text. Without one the only part is the text `undefined`. */
export const recall = (): string[] => (localStorage.vendorVisitor + '').split(',');

export const keep = (parts: unknown[]): unknown => (localStorage.vendorVisitor = parts);

/** Unread. */
export const drop = (): unknown => delete localStorage.vendorVisitor;

/** Whether the person at this browser wants to be left out: the entry is there, whatever its text. */
export const isIgnored = (): boolean => {
  try {
    return localStorage.vendorIgnore !== undefined;
  } catch {
    return false;
  }
};

/** False if the browser stores nothing. */
export const ignore = (value: boolean): boolean => {
  try {
    if (value) localStorage.vendorIgnore = 'true';
    else delete localStorage.vendorIgnore;
    return true;
  } catch {
    return false;
  }
};
