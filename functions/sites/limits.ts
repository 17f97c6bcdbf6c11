/** Limit for managing sites, per person, by all of their API keys (docs/limits.md). */
export const MANAGEMENT = { name: 'sites', quota: 60, windowSeconds: 60 } as const;
/** Limit for pieces of imports, per person. Sessions count them among their changes. */
export const IMPORTS = { name: 'imports', quota: 300, windowSeconds: 60 } as const;
