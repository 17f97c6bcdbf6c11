/** Limit for managing sites, per API token (docs/limits.md). */
export const MANAGEMENT = { name: 'sites', quota: 60, windowSeconds: 60 } as const;
