/** Tools that change something (docs/mcp.md#tools-that-change-something): a plan first, then the verb that REST calls too. */
import * as v from 'valibot';
import { requireRole } from '../../lib/access.ts';
import type { OpenedEnvironment, OpenedSite } from '../../lib/accounts/opened-access.ts';
import type { AuditedAction } from '../../lib/audit.ts';
import { check } from '../../lib/http/issues.ts';
import { refuseHostile } from '../../lib/http/json.ts';
import { type AgentTool, type Entries, listedSchema } from './agent-tool.ts';
import { type Args, type AuditedIds, audited, type ControlContext, note } from './audited-call.ts';
import { fullName, lookUpEnvironment, lookUpSite } from './find-opened.ts';
import { NameOrId } from './site-question.ts';
import { type NextCall, tell } from './tool-answer.ts';

/** What a call would change. */
export interface Plan {
  /** Null: it isn't there. */
  before: unknown;
  /** Null: it won't be there. */
  after: unknown;
  /** Makes the change, audited in the same statement, and returns what is there then. Null: everything is so already. */
  apply: (() => Promise<unknown>) | null;
  /** More of the answer's `data`. */
  about?: object;
  notes?: readonly (string | false | undefined)[];
  next?: readonly NextCall[];
}

interface Opened {
  site: OpenedSite;
  environment: OpenedEnvironment;
}

interface Definition<Kind extends keyof Opened, E extends Entries> {
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
    opened: Opened[Kind],
    input: v.InferOutput<v.StrictObjectSchema<E, undefined>>,
  ): Promise<Plan>;
}

/** Values of definitions and names of projects are texts that members wrote. */
const UNTRUSTED = ['data.before', 'data.after', 'data.nearest', 'scope.environment'];

/**
 * A tool that changes something of a site or an environment. `dryRun` tells the plan. Each call has a line in the audit log, also one that
 * was refused, failed or changed nothing.
 */
export function changing<Kind extends keyof Opened, E extends Entries>({
  of,
  entries,
  isAdditive = false,
  action,
  plan,
  ...words
}: Definition<Kind, E>): AgentTool {
  const Input = v.strictObject({ [of]: NameOrId(), ...entries, dryRun: v.optional(v.boolean()) });
  const actionOf = (args: Args): AuditedAction => (typeof action === 'function' ? action(args) : action);

  async function change(ctx: ControlContext, args: Args): Promise<object> {
    refuseHostile(args);
    const { dryRun, ...input } = check(Input, args) as Args & { dryRun?: boolean };
    const named = input[of] as string | undefined;
    const opened: OpenedSite | OpenedEnvironment =
      of === 'site' ? await lookUpSite(ctx, named) : await lookUpEnvironment(ctx, named);
    requireRole([opened], { what: of });
    const {
      before,
      after,
      apply,
      about = {},
      notes = [],
      next = [],
    } = await plan(ctx, opened as Opened[Kind], input as never);
    const result = apply === null ? 'unchanged' : dryRun === true ? 'dry_run' : 'done';
    // The verb writes the line of a change.
    const now = apply !== null && result === 'done' ? await apply() : after;
    if (result !== 'done') await note(ctx, actionOf(args), result, auditedIds(of, opened));
    const scope =
      'domain' in opened
        ? { site: opened.domain, siteId: opened.id }
        : { environment: fullName(opened), environmentId: opened.id };
    return tell(ctx, {
      data: { result, before, after: now, ...about },
      scope,
      notes,
      next,
      untrusted: UNTRUSTED,
    });
  }

  return {
    ...words,
    scopes: ['control:write'],
    annotations: { destructiveHint: !isAdditive, idempotentHint: true, openWorldHint: false },
    inputSchema: listedSchema(Input),
    ...audited({ tool: words.name, actionOf, namedIn: (args) => args[of] }, change),
  };
}

const auditedIds = (of: keyof Opened, { id, projectId }: { id: string; projectId: string }): AuditedIds =>
  of === 'site' ? { siteId: id } : { projectId };
