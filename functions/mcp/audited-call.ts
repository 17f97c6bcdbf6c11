/** Calls that the audit log has: each of them, also one that was refused, failed or changed nothing (docs/accounts.md#audit-log). */
import {
  findOpenedEnvironments,
  findOpenedProject,
  findOpenedSites,
} from '../../lib/accounts/opened-access.ts';
import {
  type AuditedAction,
  type AuditedContext,
  auditAttempt,
  type NothingChanged,
} from '../../lib/audit.ts';
import type { ActorOf } from '../../lib/context.ts';
import { toDomainError } from '../../lib/http/http-errors.ts';
import { causesOf, logToConsole } from '../../lib/http/log.ts';
import { hashInput } from '../../lib/input-hash.ts';
import type { AgentContext } from './agent-context.ts';
import type { AgentTool } from './agent-tool.ts';

/** The context of verbs that change something for an agent. */
export type ControlContext = AgentContext & AuditedContext<ActorOf<'queryToken'>>;

export type Args = Readonly<Record<string, unknown>>;

export interface AuditedIds {
  siteId?: string;
  projectId?: string;
}

interface Audited {
  /** The tool's name. */
  tool: string;
  actionOf(args: Args): AuditedAction;
  /** The argument that names a site or an environment. */
  namedIn(args: Args): unknown;
}

const MAX_CHOICES = 20;

/** The call of a tool that notes what changed by itself. Whatever else comes of a call is noted here. */
export function audited(
  { tool, actionOf, namedIn }: Audited,
  run: (ctx: ControlContext, args: Args) => Promise<object>,
): Required<Pick<AgentTool, 'call' | 'noteRefusal'>> {
  async function contextOf(ctx: AgentContext, args: unknown): Promise<ControlContext> {
    // Arguments that are nested too deeply to be written as JSON are refused, and noted without a hash.
    return { ...ctx, tool, inputHash: await hashInput(args).catch(() => null) };
  }

  async function noteRefusal(ctx: ControlContext, args: Args, result: NothingChanged): Promise<void> {
    const noted = findAuditedIds(ctx, namedIn(args)).then(
      (ids) => ids && note(ctx, actionOf(args), result, ids),
    );
    const safely = noted.catch((fault) =>
      logToConsole({
        ...{ level: 'error', function: 'mcp', event: 'audit' },
        ...{ requestId: ctx.requestId, causes: causesOf(fault) },
      }),
    );
    // The caller has waited for the database once already.
    if (result === 'UNAVAILABLE') ctx.afterwards(safely);
    else await safely;
  }

  return {
    noteRefusal: async (ctx, args = {}, result) =>
      noteRefusal(await contextOf(ctx, args), asArgs(args), result),
    call: async (agent, args = {}) => {
      const ctx = await contextOf(agent, args);
      try {
        return await run(ctx, asArgs(args));
      } catch (error) {
        await noteRefusal(ctx, asArgs(args), toDomainError(error).code);
        throw error;
      }
    },
  };
}

const asArgs = (args: unknown): Args =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as Args) : {};

/** Writes the line of a call that changed nothing. */
export const note = (ctx: ControlContext, action: AuditedAction, result: NothingChanged, ids: AuditedIds) =>
  auditAttempt(ctx, { action, result, ...ids });

/**
 * Where a refused call is noted: at the site or project that it names, or else in the oldest project that the token opens, so that its owners learn
 * of it. Undefined if the token opens nothing.
 */
async function findAuditedIds(ctx: ControlContext, named: unknown): Promise<AuditedIds | undefined> {
  const isName = typeof named === 'string' && named.isWellFormed() && !named.includes('\0');
  const asked = { named: isName ? named : null, limit: MAX_CHOICES };
  const [sites, environments] = await Promise.all([
    findOpenedSites(ctx, asked),
    findOpenedEnvironments(ctx, asked),
  ]);
  const site = sites.find((row) => row.named);
  const environment = environments.find((row) => row.named);
  if (isName && site !== undefined) return { siteId: site.id };
  const projectId =
    (isName && environment?.projectId) || sites[0]?.projectId || (await findOpenedProject(ctx));
  return projectId === undefined ? undefined : { projectId };
}
