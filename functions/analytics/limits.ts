/** Limit for requests about reports, per person, by all of their API keys. */
export const QUERIES = { name: 'analytics', quota: 100, windowSeconds: 60 } as const;
/** Limit for requests of a share's readers, per share and address, whatever unlock tokens they have. */
export const SHARED_QUERIES = { name: 'shares', quota: 100, windowSeconds: 60 } as const;
/** Limit for wrong passwords of a share, per share and address. So one address can't spend the share's own limit. */
export const GUESSES = { name: 'unlock', quota: 10, windowSeconds: 600 } as const;
/** Limit for wrong passwords of a share from all addresses together. Readers with a token don't count. */
export const ALL_GUESSES = { name: 'unlock-all', quota: 600, windowSeconds: 3600 } as const;
