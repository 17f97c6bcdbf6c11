import { expect, test } from 'vitest';
import {
  createEnvironment,
  deleteEnvironment,
  listEnvironments,
  renameEnvironment,
} from '../../../lib/projects/environments.ts';
import { Environment } from '../../../lib/projects/schemas.ts';
import {
  createTeam,
  expectFits,
  linesOf,
  MANAGERS_MAY,
  MEMBERS_MAY,
  outcomeOf,
  outcomesOf,
  type Team,
} from '../../security/team.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

async function withEnvironments(...names: string[]) {
  const { sql } = database();
  const team = await createTeam(sql);
  const { projectId } = team;
  const made = [];
  for (const name of names) made.push(await createEnvironment(team.owner.ctx, { projectId, name }));
  await sql`delete from audit_log where project_id = ${projectId}`;
  return { sql, team, projectId, ids: made.map(({ id }) => id), made };
}
const namesOf = async ({
  owner,
  projectId,
}: {
  owner: Awaited<ReturnType<typeof createTeam>>['owner'];
  projectId: string;
}) => (await listEnvironments(owner.ctx, { projectId })).map(({ name }) => name);

test('members see the environments, oldest first', async () => {
  const { sql, team, projectId, made } = await withEnvironments('staging', 'production');
  expect(await outcomesOf(team, ({ ctx }) => listEnvironments(ctx, { projectId }))).toEqual(MEMBERS_MAY);
  expectFits(Environment, made[0]);
  expect(await listEnvironments(team.viewer.ctx, { projectId })).toEqual(made);
  await sql`update environments set created_at = '2026-01-02T03:04:05Z' where id = ${made[1]?.id}`;
  expect(await listEnvironments(team.viewer.ctx, { projectId })).toEqual([
    { id: made[1]?.id, name: 'production', createdAt: '2026-01-02T03:04:05.000Z' },
    made[0],
  ]);
});

test('managers make environments, each name once in a project, at most 50', async () => {
  const { sql, team, projectId } = await withEnvironments();
  const made: string[] = [];
  const make = async ({ ctx }: Team['owner'], name: string) => {
    made.push((await createEnvironment(ctx, { projectId, name })).id);
  };
  expect(await outcomesOf(team, (person) => make(person, `by-${person.userId}`))).toEqual(MANAGERS_MAY);
  const { admin, owner, stranger } = team;
  expect(await linesOf(sql, projectId)).toEqual(
    [admin, owner].map(({ userId }, index) => `environment.create ${made[index]} by-${userId}`).toSorted(),
  );
  await expect(make(owner, `by-${admin.userId}`)).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: expect.stringContaining('this name') },
  });
  await sql`
    insert into environments (project_id, name) select ${projectId}, 'n' || n from generate_series(1, 47) n`;
  await make(owner, 'fiftieth');
  await expect(make(owner, 'more')).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: expect.stringContaining('at most 50') },
  });
  const [other] = await sql`select project_id as id from project_members where user_id = ${stranger.userId}`;
  expect(await outcomeOf(createEnvironment(stranger.ctx, { projectId: other?.id, name: 'fiftieth' }))).toBe(
    'done',
  );
});

test('managers rename environments of their project', async () => {
  const { sql, team, projectId, ids, made } = await withEnvironments('staging', 'production');
  const [environmentId = ''] = ids;
  const rename = ({ ctx }: Team['owner'], name = 'test') =>
    renameEnvironment(ctx, { projectId, environmentId, name });
  expect(await outcomesOf(team, (person) => rename(person))).toEqual(MANAGERS_MAY);
  expect(await rename(team.admin, 'preview')).toEqual({ ...made[0], name: 'preview' });
  expect(await namesOf(team)).toEqual(['preview', 'production']);
  expect(await linesOf(sql, projectId)).toEqual(
    ['preview', 'test', 'test'].map((name) => `environment.rename ${environmentId} ${name}`),
  );
  await expect(rename(team.owner, 'production')).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: expect.stringContaining('this name') },
  });
  expect(await outcomeOf(rename(team.owner, 'preview'))).toBe('done');
});

test('managers delete environments with their keys, but the last', async () => {
  const { sql, team, projectId, ids } = await withEnvironments('production', 'staging', 'test');
  const [first = '', second = '', third = ''] = ids;
  await sql`insert into ingest_keys (environment_id, name, outcomes, hash) values (${second}, 'key', false, 'hash')`;
  const remove = ({ ctx }: Team['owner'], environmentId: string) =>
    deleteEnvironment(ctx, { projectId, environmentId });
  expect(await outcomesOf(team, (person) => remove(person, second))).toEqual({
    ...{ ...MANAGERS_MAY, owner: 'NOT_FOUND' },
  });
  expect(await namesOf(team)).toEqual(['production', 'test']);
  expect(await sql`select from ingest_keys where environment_id = ${second}`).toEqual([]);
  expect(await outcomeOf(remove(team.owner, first))).toBe('done');
  await expect(remove(team.owner, third)).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: expect.stringContaining('must have an environment') },
  });
  expect(await linesOf(sql, projectId)).toEqual(
    [`environment.delete ${first} production`, `environment.delete ${second} staging`].toSorted(),
  );
});

test('an environment is found only in its own project', async () => {
  const { projectId, team } = await withEnvironments('production');
  const other = await withEnvironments('production', 'staging');
  const [environmentId = ''] = other.ids;
  const { ctx } = team.owner;
  expect(await outcomeOf(renameEnvironment(ctx, { projectId, environmentId, name: 'a' }))).toBe('NOT_FOUND');
  expect(await outcomeOf(deleteEnvironment(ctx, { projectId, environmentId }))).toBe('NOT_FOUND');
  expect(await outcomeOf(deleteEnvironment(ctx, { projectId: other.projectId, environmentId }))).toBe(
    'NOT_FOUND',
  );
  expect(await namesOf(other.team)).toEqual(['production', 'staging']);
});

test('of a project’s last two environments, deleted at the same time, one stays', async () => {
  const pairs = await Promise.all(Array.from({ length: 8 }, () => withEnvironments('production', 'staging')));
  const outcomes = await Promise.all(
    pairs.map(({ team, projectId, ids }) =>
      Promise.all(
        ids.map((id) => outcomeOf(deleteEnvironment(team.owner.ctx, { projectId, environmentId: id }))),
      ),
    ),
  );
  expect(outcomes.map((pair) => pair.toSorted())).toEqual(Array(8).fill(['CONFLICT', 'done']));
});
