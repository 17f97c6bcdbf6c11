/** Limit for managing sites, per person, by all of their API keys (docs/limits.md). */
export const MANAGEMENT = { name: 'sites', quota: 60, windowSeconds: 60 } as const;
