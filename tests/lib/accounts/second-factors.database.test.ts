import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { expect, test } from 'vitest';
import { renewSecondFactor, renewSecondFactors } from '../../../lib/accounts/auth/second-factors.ts';
import { createPerson } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

test('an operator renews all second factors, also where they take several pages', async () => {
  const { sql } = database();
  await sql`
    with person as (
      insert into users (email) select n || '@factors.test' from generate_series(1, 501) n returning id
    )
    insert into user_second_factors (user_id, secret, backup_codes) select id, 'ab12', 'ab12' from person`;
  const keys = { current: 'k'.repeat(32) };
  expect(await renewSecondFactors({ sql }, keys)).toEqual({ renewed: 0, current: 0, lost: 501 });
});

const KEYS = { new: 'n'.repeat(32), old: 'o'.repeat(32), lost: 'l'.repeat(32) };

test.each([
  ['new', 'new', 'current'],
  ['old', 'old', 'renewed'],
  ['old', 'new', 'renewed'],
  ['new', 'old', 'renewed'],
  ['lost', 'new', 'lost'],
  ['new', 'lost', 'lost'],
] as const)(
  'a secret of the %s key with backup codes of the %s key: %s',
  async (secretKey, codesKey, outcome) => {
    const { sql } = database();
    const { userId } = await createPerson(sql);
    const secret = await symmetricEncrypt({ key: KEYS[secretKey], data: 'secret' });
    const backupCodes = await symmetricEncrypt({ key: KEYS[codesKey], data: 'codes' });
    const [row] = await sql`
    insert into user_second_factors (user_id, secret, backup_codes) values (${userId}, ${secret}, ${backupCodes}) returning id`;
    const keys = { current: KEYS.new, previous: KEYS.old };
    const renew = () => renewSecondFactor({ sql }, { keys, factor: { id: row?.id, secret, backupCodes } });
    const stored = async () =>
      (await sql`select secret, backup_codes from user_second_factors where id = ${row?.id}`)[0];
    expect(await renew()).toBe(outcome);
    const after = await stored();
    if (outcome === 'renewed') {
      const opened = [after?.secret, after?.backup_codes].map((data) =>
        symmetricDecrypt({ key: KEYS.new, data }),
      );
      expect(await Promise.all(opened)).toEqual(['secret', 'codes']);
    } else expect(after).toEqual({ secret, backup_codes: backupCodes });
    // What was changed meanwhile stays.
    await sql`update user_second_factors set secret = 'changed' where id = ${row?.id}`;
    await renew();
    expect(await stored()).toMatchObject({ secret: 'changed', backup_codes: after?.backup_codes });
  },
);
