import pg from 'pg';
import { type Patience, runPatiently } from './run-patiently.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Makes the role of each function and its rights. An owner who may not make roles gets a message, and the functions go on as before
 * (docs/configuration.md#a-database-role-for-each-function).
 */
export async function grantRoles(
  client: pg.ClientBase,
  roles: string | undefined,
  patience: Patience,
): Promise<void> {
  if (roles === undefined) return;
  try {
    await runPatiently(client, patience, () => client.query(roles));
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    patience.report('This user may not make roles: let one who may run schema/roles.sql.');
  }
}
