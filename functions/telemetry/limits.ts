/** Limit for questions about telemetry, per person, by all of their API keys. */
export const QUERIES = { name: 'telemetry', quota: 100, windowSeconds: 60 } as const;
