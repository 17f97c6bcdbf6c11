/**
 * The mailbox of an address as limits count it: `ada@example.com` of `ada+news@example.com`, because mail to any tag arrives there
 * (RFC 5233).
 */
export const untagged = (email: string): string => email.replace(/^([^+@]+)\+[^@]*@/, '$1@');
