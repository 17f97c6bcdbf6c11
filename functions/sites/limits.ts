/** Requests of one API token to manage sites (docs/limits.md). */
export const MANAGEMENT = { name: 'sites', quota: 60, windowSeconds: 60 } as const;
