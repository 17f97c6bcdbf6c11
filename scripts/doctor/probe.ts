/** An account, a project, a site and keys that exist for one run of the doctor, so that nobody's figures change. */
import { createApiToken } from '../../lib/accounts/api-keys.ts';
import { createAccount } from '../../lib/accounts/create-account.ts';
import type { Ports } from '../../lib/context.ts';
import { createToken, hashToken } from '../../lib/tokens.ts';
import { asOperator } from '../../tooling/operator.ts';

/** Addresses of mail that nobody can have: what a stopped run left is found by it. */
const MAIL_HOST = 'doctor.invalid';
const NAME = 'npm run doctor';

export interface Probe {
  siteId: string;
  domain: string;
  projectId: string;
  environmentId: string;
  apiToken: string;
  ingestKey: string;
  remove(): Promise<void>;
}

export async function makeProbe({ sql }: Pick<Ports, 'sql'>): Promise<Probe> {
  await removeProbes({ sql });
  const id = crypto.randomUUID();
  const email = `${id}@${MAIL_HOST}`;
  const domain = `${id}.${MAIL_HOST}`;
  const { projectId, environmentId } = await createAccount(
    { sql },
    { email, name: NAME, emailConfirmed: true },
  );
  const { token: apiToken } = await createApiToken(asOperator(sql, { tool: NAME }), { email, name: NAME });
  const ingestKey = createToken('ving', (bytes) => crypto.getRandomValues(bytes));
  await sql`
    insert into ingest_keys (environment_id, name, outcomes, hash)
    values (${environmentId}, ${NAME}, false, decode(${await hashToken(ingestKey)}, 'hex'))`;
  const [site] = await sql`
    insert into sites (project_id, domain, name) values (${projectId}, ${domain}, ${NAME}) returning id`;
  return {
    ...{ siteId: site?.id as string, domain, projectId, environmentId, apiToken, ingestKey },
    remove: () => removeProbes({ sql }),
  };
}

/** Deletes every probe, also those of stopped runs. Crons delete their visits and spans. */
async function removeProbes({ sql }: Pick<Ports, 'sql'>): Promise<void> {
  const probes = await sql`
    select users.id as person, member.project_id as project
    from users left join project_members member on member.user_id = users.id
    where email like ${`%@${MAIL_HOST}`}`;
  for (const { person, project } of probes) {
    if (project !== null) await sql`select delete_project(${project}::uuid)`;
    await sql`delete from users where id = ${person}`;
  }
}
