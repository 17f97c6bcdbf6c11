/** What is read of an id that is of another length than it should be, or isn't hexadecimal. An empty one is absent or zero. */
export const INVALID_ID = 'invalid';

/** The id if it is one. */
export const knownId = (id: string): string | null => (id === '' || id === INVALID_ID ? null : id);
