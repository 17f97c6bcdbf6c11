/** Shows a view of the dashboard in the tab that its person allowed (docs/mcp.md#views). It does no more than navigate. */
import * as v from 'valibot';
import { isShown, type SentView, sendView } from '../../../lib/accounts/view-grants.ts';
import { REPORT_VIEWS, TELEMETRY_VIEWS } from '../../../lib/dashboard-views.ts';
import { check, invalid } from '../../../lib/http/issues.ts';
import { refuseHostile } from '../../../lib/http/json.ts';
import { type AgentTool, listedSchema } from '../agent-tool.ts';
import { type Args, audited, type ControlContext, note } from '../audited-call.ts';
import { fullName, lookUpEnvironment, lookUpSite } from '../find-opened.ts';
import { NameOrId, readFilters } from '../site-question.ts';
import { tell } from '../tool-answer.ts';

/** What a view of a backend may be narrowed by. */
const BACKEND_FILTERS = ['service', 'operation', 'status', 'severity', 'name'];
const BACKEND_FILTER = /^([a-z]+) is (.+)$/s;

/** How long a call waits for the tab, which asks every two seconds. */
const WAIT_MS = 5000;
const STEP_MS = 250;

const Text = (length: number) => v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(length)));

const Input = v.strictObject({
  view: v.optional(v.picklist([...REPORT_VIEWS, ...TELEMETRY_VIEWS])),
  site: NameOrId(),
  environment: NameOrId(),
  traceId: Text(32),
  period: Text(5),
  from: Text(30),
  to: Text(30),
  filters: v.optional(
    v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(2200))), v.maxLength(20)),
  ),
});
/** Rules that the list leaves out: they would cost tokens in every conversation. */
const Unlisted = v.object({
  traceId: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'must have 32 hexadecimal digits'))),
  period: v.optional(v.picklist(['15m', '1h', '24h', '7d', '30d', '90d'])),
});
type Input = v.InferOutput<typeof Input>;

interface View {
  path: string;
  projectId: string;
  scope: object;
}

export const showView: AgentTool = {
  name: 'show_view',
  title: 'Show a view',
  description: 'Opens a view in a tab that its person allowed, or answers a link.',
  scopes: ['view:write'],
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  inputSchema: listedSchema(Input),
  ...audited(
    {
      tool: 'show_view',
      actionOf: () => 'view.show',
      namedIn: ({ site, environment }) => site ?? environment,
    },
    show,
  ),
};

async function show(ctx: ControlContext, args: Args): Promise<object> {
  refuseHostile(args);
  const { path, projectId, scope } = await viewOf(ctx, check(Input, args));
  const sent = await sendView(ctx, { path, projectId });
  const link = ctx.pageUrl(path);
  const untrusted = ['scope.environment'];
  if (sent === undefined) {
    await note(ctx, 'view.show', 'unchanged', { projectId });
    return tell(ctx, {
      ...{ data: { result: 'consent_required', link }, scope, untrusted },
      notes: [
        'No tab may be changed by this token. Give the person the link, or ask them to choose “Let an agent show views” in the dashboard’s menu.',
      ],
    });
  }
  const result = (await awaitShown(ctx, sent)) ? 'shown' : 'sent';
  return tell(ctx, {
    ...{ data: { result, link, allowedUntil: sent.expiresAt.toISOString() }, scope, untrusted },
    notes: [result === 'sent' && 'The tab has not confirmed it yet.'],
  });
}

async function viewOf(ctx: ControlContext, { view = 'overview', traceId, ...asked }: Input): Promise<View> {
  if (asked.from !== undefined && asked.period !== undefined)
    throw invalid([{ path: 'period', message: 'must not be given with `from` and `to`' }]);
  if ((asked.from === undefined) !== (asked.to === undefined))
    throw invalid([{ path: asked.from === undefined ? 'from' : 'to', message: 'must be given too' }]);
  check(Unlisted, { traceId, period: asked.period });
  const range = { period: asked.period, from: asked.from, to: asked.to };
  if (isSiteView(view) && traceId === undefined) {
    if (asked.environment !== undefined)
      throw invalid([{ path: 'view', message: `must be one of a backend: ${TELEMETRY_VIEWS.join(', ')}` }]);
    const site = await lookUpSite(ctx, asked.site);
    const filters = Object.entries(readFilters(asked.filters ?? []));
    const query = queryOf({
      ...range,
      ...Object.fromEntries(filters.map(([name, value]) => [`filter_${name}`, String(value)])),
    });
    return {
      path: `/sites/${site.id}${view === 'overview' ? '' : `/${view}`}${query}`,
      projectId: site.projectId,
      scope: { site: site.domain, siteId: site.id },
    };
  }
  if (asked.site !== undefined)
    throw invalid([{ path: 'view', message: `must be one of a site: ${REPORT_VIEWS.join(', ')}` }]);
  const environment = await lookUpEnvironment(ctx, asked.environment);
  const index = traceId === undefined ? view : `traces/${traceId}`;
  const query = queryOf({ ...range, ...readBackendFilters(asked.filters ?? []) });
  return {
    path: `/projects/${environment.projectId}/${environment.id}/${index}${query}`,
    projectId: environment.projectId,
    scope: { environment: fullName(environment), environmentId: environment.id },
  };
}

const isSiteView = (view: string): view is (typeof REPORT_VIEWS)[number] =>
  REPORT_VIEWS.some((one) => one === view);

function readBackendFilters(filters: readonly string[]): Record<string, string> {
  const entries = filters.map((filter, index) => {
    const [, name = '', value = ''] = BACKEND_FILTER.exec(filter) ?? [];
    if (!BACKEND_FILTERS.includes(name))
      throw invalid([
        {
          path: `filters.${index}`,
          message: `must be like \`service is shop\`, by ${BACKEND_FILTERS.join(', ')}`,
        },
      ]);
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

function queryOf(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}

/** Whether the tab shows the view within the time. */
async function awaitShown(ctx: ControlContext, sent: SentView): Promise<boolean> {
  for (let waited = 0; waited < WAIT_MS; waited += STEP_MS) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    if (await isShown(ctx, sent)) return true;
  }
  return false;
}
