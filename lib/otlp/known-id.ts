/** Stands for an id of the wrong length or with characters that aren't hexadecimal. An empty id is absent or all zero. */
export const INVALID_ID = 'invalid';

/** The id if it is valid, otherwise null. */
export const knownId = (id: string): string | null => (id === '' || id === INVALID_ID ? null : id);
