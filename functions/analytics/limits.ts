/** Questions of one API token about reports. */
export const QUERIES = { name: 'analytics', quota: 100, windowSeconds: 60 } as const;
/** The same of whoever reads a share, by share and address. */
export const SHARED_QUERIES = { name: 'shares', quota: 100, windowSeconds: 60 } as const;
/** Guesses of a share's password, by share and address, and by share alone for whoever has many addresses. */
export const GUESSES = { name: 'unlock', quota: 10, windowSeconds: 60 } as const;
export const ALL_GUESSES = { name: 'unlock-all', quota: 600, windowSeconds: 3600 } as const;
