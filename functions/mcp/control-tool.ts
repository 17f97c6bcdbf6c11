/** Tools that change something (docs/mcp.md#tools-that-change-something): a plan first, then the verb that REST calls too. */
import * as v from 'valibot';
import { requireRole } from '../../lib/access.ts';
import {
  findOpenedEnvironments,
  findOpenedProject,
  findOpenedSites,
  type OpenedEnvironment,
  type OpenedSite,
} from '../../lib/accounts/opened-places.ts';
import {
  type AuditedAction,
  type AuditedContext,
  auditAttempt,
  type NothingChanged,
} from '../../lib/audit.ts';
import type { ActorOf } from '../../lib/context.ts';
import { toDomainError } from '../../lib/http/http-errors.ts';
import { check } from '../../lib/http/issues.ts';
import { refuseHostile } from '../../lib/http/json.ts';
import { causesOf, logToConsole } from '../../lib/http/log.ts';
import { hashInput } from '../../lib/input-hash.ts';
import type { AgentContext } from './agent-context.ts';
import { type AgentTool, type Entries, listedSchema } from './agent-tool.ts';
import { lookUpEnvironment, lookUpSite } from './find-place.ts';
import { Place } from './site-question.ts';
import { type NextCall, tell } from './tool-answer.ts';

/** The context of verbs that change something for an agent. */
export type ControlContext = AgentContext & AuditedContext<ActorOf<'queryToken'>>;

/** What a call would change. */
export interface Plan {
  /** Null: it isn't there. */
  before: unknown;
  /** Null: it won't be there. */
  after: unknown;
  /** Makes the change, audited in the same statement, and returns what is there then. Null: everything is so already. */
  apply: (() => Promise<unknown>) | null;
  notes?: readonly (string | false | undefined)[];
  next?: readonly NextCall[];
}

interface Places {
  site: OpenedSite;
  environment: OpenedEnvironment;
}

interface Definition<Kind extends keyof Places, E extends Entries> {
  name: string;
  title: string;
  description: string;
  /** What the tool changes something of. */
  of: Kind;
  entries: E;
  /** Whether a call takes nothing away and replaces nothing. */
  isAdditive?: boolean;
  /** The action of the audit log for calls that change nothing. Verbs have their own. */
  action: AuditedAction | ((args: Readonly<Record<string, unknown>>) => AuditedAction);
  plan(
    ctx: ControlContext,
    place: Places[Kind],
    input: v.InferOutput<v.StrictObjectSchema<E, undefined>>,
  ): Promise<Plan>;
}

/** Values of definitions and names of projects are texts that members wrote. */
const UNTRUSTED = ['data.before', 'data.after', 'scope.project', 'scope.environment'];
const MAX_CHOICES = 20;

type Args = Readonly<Record<string, unknown>>;

/**
 * A tool that changes something of a site or an environment. `dryRun` tells the plan. Each call has a line in the audit log, also one that
 * was refused, failed or changed nothing.
 */
export function changing<Kind extends keyof Places, E extends Entries>({
  of,
  entries,
  isAdditive = false,
  action,
  plan,
  ...words
}: Definition<Kind, E>): AgentTool {
  const Input = v.strictObject({ [of]: Place(), ...entries, dryRun: v.optional(v.boolean()) });
  const actionOf = (args: Args): AuditedAction => (typeof action === 'function' ? action(args) : action);

  async function contextOf(ctx: AgentContext, args: unknown): Promise<ControlContext> {
    // Arguments that are nested too deeply to be written as JSON are refused, and noted without a hash.
    return { ...ctx, tool: words.name, inputHash: await hashInput(args).catch(() => null) };
  }

  async function change(ctx: ControlContext, args: Args): Promise<object> {
    refuseHostile(args);
    const { dryRun, ...input } = check(Input, args) as Args & { dryRun?: boolean };
    const named = input[of] as string | undefined;
    const place: OpenedSite | OpenedEnvironment =
      of === 'site' ? await lookUpSite(ctx, named) : await lookUpEnvironment(ctx, named);
    requireRole([place], { what: of });
    const {
      before,
      after,
      apply,
      notes = [],
      next = [],
    } = await plan(ctx, place as Places[Kind], input as never);
    const result = apply === null ? 'unchanged' : dryRun === true ? 'dry_run' : 'done';
    // The verb writes the line of a change.
    const now = apply !== null && result === 'done' ? await apply() : after;
    if (result !== 'done') await note(ctx, actionOf(args), result, placeIds(of, place));
    const scope =
      'domain' in place
        ? { site: place.domain, siteId: place.id }
        : { project: place.project, environment: place.name, environmentId: place.id };
    return tell(ctx, { data: { result, before, after: now }, scope, notes, next, untrusted: UNTRUSTED });
  }

  async function noteRefusal(ctx: ControlContext, args: Args, result: NothingChanged): Promise<void> {
    const noted = findPlace(ctx, args[of]).then((place) => place && note(ctx, actionOf(args), result, place));
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
    ...words,
    scopes: ['control:write'],
    annotations: {
      readOnlyHint: false,
      destructiveHint: !isAdditive,
      idempotentHint: true,
      openWorldHint: false,
    },
    inputSchema: listedSchema(Input),
    noteRefusal: async (ctx, args = {}, result) =>
      noteRefusal(await contextOf(ctx, args), asArgs(args), result),
    call: async (agent, args = {}) => {
      const ctx = await contextOf(agent, args);
      try {
        return await change(ctx, asArgs(args));
      } catch (error) {
        await noteRefusal(ctx, asArgs(args), toDomainError(error).code);
        throw error;
      }
    },
  };
}

const asArgs = (args: unknown): Args =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as Args) : {};

interface PlaceIds {
  siteId?: string;
  projectId?: string;
}

const placeIds = (of: keyof Places, { id, projectId }: { id: string; projectId: string }): PlaceIds =>
  of === 'site' ? { siteId: id } : { projectId };

const note = (ctx: ControlContext, action: AuditedAction, result: NothingChanged, place: PlaceIds) =>
  auditAttempt(ctx, { action, result, ...place });

/**
 * Where a refused call is noted: at the place that it names, or else in the oldest project that the token opens, so that its owners learn
 * of it. Undefined if the token opens nothing.
 */
async function findPlace(ctx: ControlContext, named: unknown): Promise<PlaceIds | undefined> {
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
