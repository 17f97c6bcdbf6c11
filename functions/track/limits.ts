/** Requests of one address to one site. */
export const TRACKING = { name: 'tracking', quota: 1000, windowSeconds: 60 } as const;
