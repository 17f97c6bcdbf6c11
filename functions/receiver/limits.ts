/** Limit per ingest key (docs/limits.md). */
export const RECEIVING = { name: 'receiver', quota: 600, windowSeconds: 60 } as const;
