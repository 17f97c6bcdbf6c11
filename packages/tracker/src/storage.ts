/** The tracker's entries of storage: the visitor's id, and the wish to be left out. No other module touches storage. */
import { dataset } from './script-tag.ts';

/** Each site of a page has its own entry. */
const KEY = 'vendorVisitor-' + dataset.site;
/** The entry of all sites up to version 0.2: read, never written. */
const OLD_KEY = 'vendorVisitor';

/** The visitor's id and when it ends, in milliseconds since 1970; what is missing is undefined and NaN. Throws without storage. */
export const recall = (): [id: string, end: number] => {
  const [id, end] = (localStorage[KEY] ?? localStorage[OLD_KEY] ?? '').split(',');
  return [id, +end];
};

/** Throws where there is no room. */
export const keep = (id: string, end: number): void => {
  localStorage[KEY] = [id, end];
};

/** Unread. */
export const drop = (): void => {
  delete localStorage[KEY];
  delete localStorage[OLD_KEY];
};

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
