/** Limit for messages of agents, per query token. */
export const MESSAGES = { name: 'mcp', quota: 120, windowSeconds: 60 } as const;
