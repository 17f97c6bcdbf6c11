/** What one client address may ask without being signed in (docs/limits.md). */
export const SIGN_IN = { name: 'sign-in', quota: 20, windowSeconds: 60 } as const;
/** Guesses at one account, whatever addresses they come from. */
export const GUESSES = { name: 'sign-in-account', quota: 30, windowSeconds: 900 } as const;
