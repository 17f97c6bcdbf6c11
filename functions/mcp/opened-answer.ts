/** The sites and environments that a token opens, as tools and resources tell them. */
import {
  findOpenedEnvironments,
  findOpenedSites,
  type OpenedEnvironment,
} from '../../lib/accounts/opened-access.ts';
import { type AgentContext, hasScope } from './agent-context.ts';
import { fullName } from './find-opened.ts';
import { summary } from './site-answer.ts';
import { tell } from './tool-answer.ts';

const MAX_OPENED = 50;

/** Its name has the project's. */
const withProject = ({ project, ...environment }: OpenedEnvironment) => ({
  ...environment,
  name: fullName({ project, ...environment }),
});

interface Asked {
  /** A name, domain or id. */
  search?: string | undefined;
  only?: 'sites' | 'environments';
}

export async function tellOpened(ctx: AgentContext, { search, only }: Asked): Promise<object> {
  const mayChange = hasScope(ctx, 'control:write');
  const seesSites = mayChange || hasScope(ctx, 'sites:read') || hasScope(ctx, 'analytics:read');
  const seesEnvironments = mayChange || hasScope(ctx, 'telemetry:read') || hasScope(ctx, 'outcomes:read');
  const asked = { named: search, limit: MAX_OPENED + 1 };
  const [sites, environments] = await Promise.all([
    seesSites && only !== 'environments' ? findOpenedSites(ctx, asked) : [],
    seesEnvironments && only !== 'sites' ? findOpenedEnvironments(ctx, asked) : [],
  ]);
  const [site] = sites;
  const listed = <Row extends { named: boolean }>(rows: readonly Row[]) =>
    rows
      .filter(({ named }) => named)
      .slice(0, MAX_OPENED)
      .map(({ named: _, ...row }) => row);
  const isCut = sites.length > MAX_OPENED || environments.length > MAX_OPENED;
  return tell(ctx, {
    data: {
      ...(only === undefined && { scopes: ctx.actor.scopes }),
      ...(only !== 'environments' && { sites: listed(sites) }),
      ...(only !== 'sites' && { environments: listed(environments).map(withProject) }),
    },
    notes: [
      isCut && `At most ${MAX_OPENED} of each are listed: name one with \`search\` of \`get_access\`.`,
      !seesSites && 'The token may not read websites: it has neither `sites:read` nor `analytics:read`.',
      !seesEnvironments &&
        'The token may not read backends: it has neither `telemetry:read` nor `outcomes:read`.',
    ],
    next: site === undefined ? [] : [summary({ site: site.id }, 'How is this website doing?')],
    untrusted: ['data.sites[].name', 'data.sites[].project', 'data.environments[].name'],
  });
}
