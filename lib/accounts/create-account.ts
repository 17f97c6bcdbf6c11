import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
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
export async function createAccount(
  ctx: Pick<Ports, 'sql'>,
  { id = crypto.randomUUID(), email, name, emailConfirmed }: CreateAccount,
): Promise<Account> {
  const [account] = await reach(ctx.sql`
    with person as (
      insert into users (id, email, name, email_verified) values (${id}, ${email}, ${name}, ${emailConfirmed})
      on conflict (lower(email)) do nothing returning id
    ), project as (
      insert into projects (name) select ${name} from person returning id
    ), membership as (
      insert into project_members (project_id, user_id, role) select project.id, person.id, 'owner' from project, person
    ), environment as (
      insert into environments (project_id, name) select id, 'production' from project returning id
    )
    select person.id as "userId", project.id as "projectId", environment.id as "environmentId"
    from person, project, environment`);
  if (account === undefined) throw emailTaken();
  return account as Account;
}

export const emailTaken = (): DomainError =>
  new DomainError('CONFLICT', 'This address has an account already.');
