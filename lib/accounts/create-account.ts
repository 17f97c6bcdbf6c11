import type { Ports } from '../context.ts';
import { type Fragment, reach, type Sql } from '../db.ts';
import { DomainError } from '../errors.ts';
import type { CreateAccount } from './schemas.ts';

export interface Account {
  userId: string;
  projectId: string;
  environmentId: string;
}

/**
 * Creates a person with a project of their own and its first environment, `production`, in one statement. Uses the unique index on the
 * e-mail address.
 *
 * @throws `CONFLICT` for an address that has an account; upper and lower case count as equal
 */
export async function createAccount(ctx: Pick<Ports, 'sql'>, person: CreateAccount): Promise<Account> {
  const { sql } = ctx;
  const [account] = await reach(sql`
    with ${insertAccount(sql, person, sql`select true`)}
    select person.id as "userId", project.id as "projectId", environment.id as "environmentId"
    from person, project, environment`);
  if (account === undefined) throw emailTaken();
  return account as Account;
}

/**
 * Parts of other statements: `person`, `project` and `environment` have a row each if the account was made. None is made for an address that
 * has an account, or if the query `admitted` has no row.
 */
export const insertAccount = (
  sql: Sql,
  { id = crypto.randomUUID(), email, name, emailConfirmed }: CreateAccount,
  admitted: Fragment,
): Fragment => sql`
  person as (
    insert into users (id, email, name, email_verified)
    select ${id}::uuid, ${email}, ${name}, ${emailConfirmed}::boolean from (${admitted}) admitted
    on conflict (lower(email)) do nothing returning id
  ), project as (
    insert into projects (name) select ${name} from person returning id
  ), membership as (
    insert into project_members (project_id, user_id, role) select project.id, person.id, 'owner' from project, person
  ), environment as (
    insert into environments (project_id, name) select id, 'production' from project returning id
  )`;

export const emailTaken = (): DomainError =>
  new DomainError('CONFLICT', 'This address has an account already.');
