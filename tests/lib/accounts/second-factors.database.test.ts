import { expect, test } from 'vitest';
import { renewSecondFactors } from '../../../lib/accounts/auth/second-factors.ts';
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
