/** Limit for requests about reports, per API token. */
export const QUERIES = { name: 'analytics', quota: 100, windowSeconds: 60 } as const;
/** Limit for requests of a share's readers, per share and address. */
export const SHARED_QUERIES = { name: 'shares', quota: 100, windowSeconds: 60 } as const;
/** Limit for guesses at a share's password, per share and address, and per share alone against guesses from many addresses. */
export const GUESSES = { name: 'unlock', quota: 10, windowSeconds: 60 } as const;
export const ALL_GUESSES = { name: 'unlock-all', quota: 600, windowSeconds: 3600 } as const;
