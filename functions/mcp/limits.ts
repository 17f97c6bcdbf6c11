/** Limit for messages of agents, per person, by all of their query tokens. */
export const MESSAGES = { name: 'mcp', quota: 120, windowSeconds: 60 } as const;
