/** The environments of a project. */
import { memberEnvironment, memberProject, requireWritten } from '../access.ts';
import type { ProjectContext } from '../audit.ts';
import { insertProjectAudit } from '../audit.ts';
import type { SessionContext } from '../context.ts';
import { reach, refuseTaken } from '../db.ts';
import { DomainError } from '../errors.ts';
import { listed } from '../listed.ts';
import { inTurn, turnOfProject } from '../turns.ts';
import type {
  CreateEnvironment,
  Environment,
  OneEnvironment,
  OneProject,
  RenameEnvironment,
} from './schemas.ts';

const MAX_ENVIRONMENTS_A_PROJECT = 50;

interface EnvironmentRow {
  id: string;
  name: string;
  created_at: Date;
}

const toEnvironment = ({ id, name, created_at }: EnvironmentRow): Environment => ({
  id,
  name,
  createdAt: created_at.toISOString(),
});

/** Turns a name that another environment of the project already has into `CONFLICT`. */
const refuseTakenName = <T>(query: Promise<T>): Promise<T> =>
  refuseTaken(query, 'The project already has an environment with this name.');

/** A project's environments, oldest first. Throws `NOT_FOUND`. Uses the index `environments_project`, at most 50 rows. */
export async function listEnvironments(
  ctx: SessionContext,
  { projectId }: OneProject,
): Promise<Environment[]> {
  const rows = await reach(ctx.sql`
    select environments.id, environments.name, environments.created_at
    from (${memberProject(ctx, projectId)}) target
    join environments on environments.project_id = target.id
    order by environments.created_at, environments.id
  `);
  return listed<EnvironmentRow>(rows, 'project').map(toEnvironment);
}

/**
 * Creates an environment. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, and `CONFLICT` for a name that is taken or a full project. Counts
 * the environments by the index `environments_project`.
 */
export async function createEnvironment(
  ctx: ProjectContext,
  { projectId, name }: CreateEnvironment,
): Promise<Environment> {
  const rows = await refuseTakenName(
    inTurn(
      ctx.sql,
      [turnOfProject(ctx.sql, projectId)],
      ctx.sql`
      with target as (${memberProject(ctx, projectId)}), done as (
        insert into environments (project_id, name) select target.id, ${name} from target
        where target.role in ('owner', 'admin')
          and (select count(*) from environments where project_id = target.id) < ${MAX_ENVIRONMENTS_A_PROJECT}
        returning id, project_id, name, created_at
      ), audited as (${insertProjectAudit(ctx, 'environment.create')})
      select target.role, done.id, done.name, done.created_at from target left join done on true
    `,
    ),
  );
  const row = requireWritten<EnvironmentRow>(rows, {
    what: 'project',
    refused: () =>
      new DomainError('CONFLICT', `A project has at most ${MAX_ENVIRONMENTS_A_PROJECT} environments.`),
  });
  return toEnvironment(row);
}

/** Renames an environment. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` for a name that is taken. Uses primary keys. */
export async function renameEnvironment(
  ctx: ProjectContext,
  { name, ...environment }: RenameEnvironment,
): Promise<Environment> {
  const rows = await refuseTakenName(
    reach(ctx.sql`
      with target as (${memberEnvironment(ctx, environment)}), done as (
        update environments set name = ${name} from target
        where environments.id = target.environment_id and target.role in ('owner', 'admin')
        returning environments.id, environments.project_id, environments.name, environments.created_at
      ), audited as (${insertProjectAudit(ctx, 'environment.rename')})
      select target.role, done.id, done.name, done.created_at from target left join done on true
    `),
  );
  return toEnvironment(requireWritten<EnvironmentRow>(rows, { what: 'environment' }));
}

/**
 * Deletes an environment with its keys. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` for a project's last environment. Takes
 * the project's turn, so that two requests can't delete the last two environments.
 */
export async function deleteEnvironment(ctx: ProjectContext, environment: OneEnvironment): Promise<void> {
  const rows = await inTurn(
    ctx.sql,
    [turnOfProject(ctx.sql, environment.projectId)],
    ctx.sql`
        with target as (${memberEnvironment(ctx, environment)}), done as (
          delete from environments using target
          where environments.id = target.environment_id and target.role in ('owner', 'admin') and exists (
            select from environments other where other.project_id = target.id and other.id <> target.environment_id)
          returning environments.id, environments.project_id, environments.name
        ), audited as (${insertProjectAudit(ctx, 'environment.delete')})
        select target.role, done.id from target left join done on true`,
  );
  requireWritten(rows, {
    what: 'environment',
    refused: () => new DomainError('CONFLICT', 'A project must have an environment. Make another one first.'),
  });
}
