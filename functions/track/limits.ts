/** Limit per address and site. */
export const TRACKING = { name: 'tracking', quota: 1000, windowSeconds: 60 } as const;
