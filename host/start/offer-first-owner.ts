import { createFirstOwnerLink } from '../../lib/accounts/auth/first-owner.ts';
import { connectDatabase } from '../../lib/db.ts';
import { type OpenNeon, OWNER } from '../../tooling/neon/start-neon.ts';

/** Prints the link by which the first account is made, while nobody can sign in. */
export async function offerFirstOwner(
  { fetch, urlOf }: Pick<OpenNeon, 'fetch' | 'urlOf'>,
  { authKey, publicUrl }: { authKey: string; publicUrl: string },
  log: (line: string) => void,
): Promise<void> {
  const sql = connectDatabase({ url: urlOf(OWNER, 'first-owner.invalid'), fetch });
  const link = await createFirstOwnerLink({ sql, now: Date.now, authKey, publicUrl });
  if (link !== undefined)
    log(
      `\nNobody has an account yet. Whoever opens this link within a day makes the first one:\n  ${link}\n`,
    );
}
