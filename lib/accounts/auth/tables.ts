import type { Fragment, Sql } from '../../db.ts';

/** Where a model of the library is stored (schema/migrations/0001-accounts.sql). Fields without a column aren't stored. */
export interface Table {
  name: Fragment;
  /** All columns, with the library's names. */
  row: Fragment;
  columns: Readonly<Record<string, Fragment>>;
  /** The expression to look a field up by, if it isn't the field's column. */
  lookups?: Readonly<Record<string, Fragment>>;
}

export type Tables = Readonly<Record<string, Table>>;

export function authTables(sql: Sql): Tables {
  const instants = { createdAt: sql`created_at`, updatedAt: sql`updated_at`, expiresAt: sql`expires_at` };
  const common = { id: sql`id`, userId: sql`user_id` };
  return {
    user: {
      name: sql`users`,
      row: sql`id, name, email, email_verified as "emailVerified", second_factor as "twoFactorEnabled",
        created_at as "createdAt", updated_at as "updatedAt"`,
      columns: {
        id: sql`id`,
        name: sql`name`,
        email: sql`email`,
        emailVerified: sql`email_verified`,
        twoFactorEnabled: sql`second_factor`,
        ...instants,
      },
      lookups: { email: sql`lower(email)` },
    },
    account: {
      name: sql`user_credentials`,
      row: sql`id, user_id as "userId", provider as "providerId", account as "accountId", password,
        created_at as "createdAt", updated_at as "updatedAt"`,
      columns: {
        ...common,
        providerId: sql`provider`,
        accountId: sql`account`,
        password: sql`password`,
        ...instants,
      },
    },
    session: {
      name: sql`user_sessions`,
      row: sql`id, user_id as "userId", created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt"`,
      columns: { ...common, token: sql`hash`, browser: sql`browser`, os: sql`os`, ...instants },
    },
    verification: {
      name: sql`user_verifications`,
      row: sql`id, identifier, value, created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt"`,
      columns: { id: sql`id`, identifier: sql`identifier`, value: sql`value`, ...instants },
    },
    twoFactor: {
      name: sql`user_second_factors`,
      row: sql`id, user_id as "userId", secret, backup_codes as "backupCodes", verified,
        failures as "failedVerificationCount", locked_until as "lockedUntil"`,
      columns: {
        ...common,
        secret: sql`secret`,
        backupCodes: sql`backup_codes`,
        verified: sql`verified`,
        failedVerificationCount: sql`failures`,
        lockedUntil: sql`locked_until`,
      },
    },
  };
}
