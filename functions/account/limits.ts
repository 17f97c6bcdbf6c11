/** Limits of accounts (docs/limits.md). Those of people who are signed in: lib/http/session-limits.ts. */
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Requests without a session, per client address. */
export const SIGN_IN = { name: 'sign-in', quota: 20, windowSeconds: 60 } as const;
/** Accounts that are made, and addresses that are tried so, per client address. */
export const SIGN_UPS = { name: 'sign-ups', quota: 5, windowSeconds: HOUR } as const;
/** Guesses at one account, from all addresses together. */
export const GUESSES = { name: 'sign-in-account', quota: 30, windowSeconds: 900 } as const;
/** The same from browsers that the account was used with: strangers' guesses leave these. */
export const KNOWN_GUESSES = { name: 'sign-in-known', quota: 30, windowSeconds: 900 } as const;
/** Proofs of one person who is signed in: fewer, because a code has 6 digits. */
export const PROOFS = { name: 'proofs', quota: 10, windowSeconds: 900 } as const;
/** Mails with a link that resets the password, per address that gets them. Addresses count without a tag (`untagged`). */
export const RESET_MAILS = { name: 'reset-mails', quota: 3, windowSeconds: HOUR } as const;
/** Mails with a link that confirms an address, per mailbox that gets them. */
export const CONFIRMATION_MAILS = { name: 'confirmation-mails', quota: 3, windowSeconds: DAY } as const;
/** Mails with an invitation, per mailbox that gets them, whoever invites. */
export const INVITATION_MAILS = { name: 'invitation-mails', quota: 3, windowSeconds: DAY } as const;
/** Mails with an invitation, per person who invites. */
export const INVITER_MAILS = { name: 'inviter-mails', quota: 30, windowSeconds: DAY } as const;
/** Mails with an invitation, per person who invites and domain of the addresses that get them. */
export const INVITER_DOMAIN_MAILS = { name: 'inviter-domain-mails', quota: 10, windowSeconds: DAY } as const;
