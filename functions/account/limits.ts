/** Limit per client address for requests without a session (docs/limits.md). */
export const SIGN_IN = { name: 'sign-in', quota: 20, windowSeconds: 60 } as const;
/** Limit for guesses at one account, from all addresses together. */
export const GUESSES = { name: 'sign-in-account', quota: 30, windowSeconds: 900 } as const;
