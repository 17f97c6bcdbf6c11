import * as v from 'valibot';
import { findOpenedSites, type OpenedSite } from '../../../lib/accounts/opened-access.ts';
import { check } from '../../../lib/http/issues.ts';
import { type Origin, ReplaceOrigins } from '../../../lib/telemetry/control-schemas.ts';
import { getOrigins, setOrigin as writeOrigin } from '../../../lib/telemetry/origins.ts';
import type { ControlContext } from '../audited-call.ts';
import { ChoiceError } from '../choice-error.ts';
import { changing } from '../control-tool.ts';

const MAX_SITES = 1000;
const MAX_NAMED = 50;

/** The project's sites that the token opens. */
const sitesOf = async (ctx: ControlContext, projectId: string): Promise<OpenedSite[]> =>
  (await findOpenedSites(ctx, { limit: MAX_SITES })).filter((site) => site.projectId === projectId);

function siteNamed(sites: readonly OpenedSite[], name: string): OpenedSite {
  const wanted = name.toLowerCase();
  const found = sites.filter(({ id, domain, name: called }) =>
    [id, domain, called.toLowerCase()].includes(wanted),
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new ChoiceError(
    'NOT_FOUND',
    'The token opens no such site in the environment’s project. Use a `domain` or `id` from `choices`.',
    {
      choices: sites.map(({ id, domain }) => ({ id, domain })),
      details: [{ path: 'sites', message: 'must name sites of the project' }],
    },
  );
}

export const setOrigin = changing({
  name: 'set_origin',
  title: 'Set an API origin',
  description:
    'Ties requests of pages to traces: `origin` is an API of the backend, which pages of `sites` (none: all) call.',
  of: 'environment',
  action: 'origins.replace',
  entries: {
    origin: v.pipe(v.string(), v.maxLength(300)),
    sites: v.optional(
      v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(253))), v.maxLength(MAX_NAMED)),
    ),
    remove: v.optional(v.boolean()),
  },
  plan: async (ctx, { id: environmentId, projectId }, { origin, sites: named, remove }) => {
    const ids = { projectId, environmentId };
    const [{ origins }, sites] = await Promise.all([getOrigins(ctx, ids), sitesOf(ctx, projectId)]);
    const siteIds = named && [...new Set(named.map((name) => siteNamed(sites, name).id))];
    const wanted: Origin = { origin, ...(siteIds !== undefined && siteIds.length > 0 && { siteIds }) };
    const others = origins.filter((one) => one.origin !== origin);
    check(ReplaceOrigins, { ...ids, origins: remove === true ? others : [...others, wanted] }, ([first]) => [
      first === 'origins' ? 'origin' : first,
    ]);
    const before = origins.find((one) => one.origin === origin) ?? null;
    const describeOrigin = (one: Origin | null) =>
      one && {
        origin: one.origin,
        sites:
          one.siteIds === undefined
            ? 'all'
            : one.siteIds.flatMap((id) => sites.find((site) => site.id === id)?.domain ?? []),
      };
    const after = remove === true ? null : wanted;
    const same =
      JSON.stringify(before && [before.siteIds?.toSorted()]) ===
      JSON.stringify(after && [after.siteIds?.toSorted()]);
    return {
      ...{ before: describeOrigin(before), after: describeOrigin(after) },
      apply: same
        ? null
        : async () => {
            await writeOrigin(ctx, { ...ids, ...wanted, remove: remove === true });
            return describeOrigin(after);
          },
    };
  },
});
