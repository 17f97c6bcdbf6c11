import { findOpenedEnvironments, findOpenedSites } from '../../../lib/accounts/opened-places.ts';
import { type AgentContext, hasScope } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import { summary } from '../site-answer.ts';
import { Place } from '../site-question.ts';
import { tell } from '../tool-answer.ts';

const MAX_PLACES = 50;

async function listPlaces(ctx: AgentContext, search: string | undefined): Promise<object> {
  const seesSites = hasScope(ctx, 'sites:read') || hasScope(ctx, 'analytics:read');
  const seesEnvironments = hasScope(ctx, 'telemetry:read') || hasScope(ctx, 'outcomes:read');
  const asked = { named: search, limit: MAX_PLACES + 1 };
  const [sites, environments] = await Promise.all([
    seesSites ? findOpenedSites(ctx, asked) : [],
    seesEnvironments ? findOpenedEnvironments(ctx, asked) : [],
  ]);
  const [site] = sites;
  const listed = <Row extends { named: boolean }>(rows: readonly Row[]) =>
    rows
      .filter(({ named }) => named)
      .slice(0, MAX_PLACES)
      .map(({ named: _, ...row }) => row);
  const isCut = sites.length > MAX_PLACES || environments.length > MAX_PLACES;
  return tell(ctx, {
    data: { scopes: ctx.actor.scopes, sites: listed(sites), environments: listed(environments) },
    notes: [
      isCut && `At most ${MAX_PLACES} of each are listed: name one with \`search\`.`,
      !seesSites && 'The token may not read websites: it has neither `sites:read` nor `analytics:read`.',
      !seesEnvironments &&
        'The token may not read backends: it has neither `telemetry:read` nor `outcomes:read`.',
    ],
    next: site === undefined ? [] : [summary({ site: site.id }, 'How is this website doing?')],
    untrusted: [
      'data.sites[].name',
      'data.sites[].project',
      'data.environments[].name',
      'data.environments[].project',
    ],
  });
}

export const getAccess = reading({
  name: 'get_access',
  title: 'What the token opens',
  description:
    'Which websites and backends can I ask about, and with which scopes? Lists sites (id, domain, time zone) and environments. Other tools take these names; they can be left out if there is one only. `search` is a name, domain or id.',
  scopes: [],
  entries: { search: Place() },
  run: (ctx, { search }) => listPlaces(ctx, search),
});
