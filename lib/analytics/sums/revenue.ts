import type { Fragment, Sql } from '../../db.ts';
import type { Tier } from '../answers/schemas.ts';

/** The amount of a tier, or of all tiers, in a row of `rollup_revenue`. Null: there is none. */
export function amountOf(sql: Sql, tier: Tier | undefined): Fragment {
  switch (tier) {
    case 1:
      return sql`amount_1`;
    case 2:
      return sql`amount_2`;
    case 3:
      return sql`amount_3`;
    case undefined:
      return sql`coalesce(amount_1, 0) + coalesce(amount_2, 0) + coalesce(amount_3, 0)`;
  }
}
