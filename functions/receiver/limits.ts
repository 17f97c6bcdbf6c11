/** Limits per ingest key (docs/limits.md). A flood of telemetry must not hold up outcomes, so they are counted apart. */
export const RECEIVING = { name: 'receiver', quota: 600, windowSeconds: 60 } as const;
export const RECORDING = { name: 'outcomes', quota: 600, windowSeconds: 60 } as const;
