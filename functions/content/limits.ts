/** Limit per address. */
export const REQUESTS = { name: 'content', quota: 60, windowSeconds: 60 } as const;
