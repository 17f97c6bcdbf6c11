/** Finds the site or the environment that an agent means: by id, name or domain, or the only one. */
import {
  findOpenedEnvironments,
  findOpenedSites,
  namesOf,
  type OpenedEnvironment,
  type OpenedSite,
} from '../../lib/accounts/opened-access.ts';
import { byLikeness, fold } from '../../lib/nearest.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { AgentContext } from './agent-context.ts';
import { ChoiceError } from './choice-error.ts';

/** Those that a name is compared with. An error lists the first 20. */
const MAX_LISTED = 100;

interface Words {
  /** `site`: the argument, and what an error calls it. */
  what: 'site' | 'environment';
  by: string;
  /** What tells apart those that have the same name. */
  apart: string;
}

/** The one that is meant. Throws `NOT_FOUND` or `VALIDATION_ERROR` with what there is. */
function theOne<Row extends { named: boolean }>(
  rows: readonly Row[],
  asked: string | undefined,
  { what, by, apart }: Words,
  { choice, labelsOf }: { choice: (row: Row) => object; labelsOf: (row: Row) => string[] },
): Row {
  const exactly = rows.filter((row) => row.named);
  const wanted = asked === undefined ? [] : namesOf(asked).map(fold);
  const named =
    exactly.length > 0
      ? exactly
      : rows.filter((row) => labelsOf(row).some((label) => wanted.includes(fold(label))));
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  if (rows.length === 0)
    throw new ChoiceError('NOT_FOUND', `The token opens no ${what}. Its owner can make one that does.`, {
      choices: [],
    });
  if (only === undefined)
    throw new ChoiceError(
      'NOT_FOUND',
      `The token opens no such ${what}. Use ${by} from \`choices\`, or find others with \`get_access\`.`,
      { choices: byLikeness(wanted.at(-1) ?? '', rows, labelsOf).map(choice) },
    );
  const message =
    asked === undefined
      ? `The token opens several: name one with \`${what}\`, by ${by} from \`choices\`.`
      : `Several have this name: use ${apart} from \`choices\`.`;
  throw new ChoiceError('VALIDATION_ERROR', message, {
    choices: named.map(choice),
    details: [{ path: what, message: 'must name one of them' }],
  });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string | undefined): text is string => text !== undefined && UUID.test(text);

const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 2000;

/** Sites or environments by id, so that a call with an id asks the database once. Whether the caller may see them is asked each time. */
const rememberOpened = <Row extends { id: string }>() => {
  const remembered = new RecentMap<string, { row: Row; until: number }>(MAX_REMEMBERED);
  return {
    keep({ now }: AgentContext, row: Row): Row {
      remembered.set(row.id, { row, until: now() + REMEMBERED_MS });
      return row;
    },
    find({ now }: AgentContext, id: string): Row | undefined {
      const known = remembered.get(id.toLowerCase());
      return known !== undefined && now() < known.until ? known.row : undefined;
    },
  };
};

const sites = rememberOpened<OpenedSite>();
const environments = rememberOpened<OpenedEnvironment>();

/** A site that a call names. Without a look-up its domain isn't known. */
export type AskedSite = Pick<OpenedSite, 'id'> & Partial<Pick<OpenedSite, 'domain' | 'timezone'>>;

/** The site, by id, domain or name; without a name the token's only one. One look-up. */
export async function lookUpSite(ctx: AgentContext, site: string | undefined): Promise<OpenedSite> {
  const rows = await findOpenedSites(ctx, { named: site, limit: MAX_LISTED });
  const found = theOne(
    rows,
    site,
    { what: 'site', by: 'a `domain` or `id`', apart: 'the `id`' },
    {
      choice: ({ id, domain, project }) => ({ id, domain, project }),
      labelsOf: ({ domain, name }) => [domain, name, `www.${domain}`],
    },
  );
  return sites.keep(ctx, found);
}

/** How answers name an environment: two projects may each have a `production`. */
export const fullName = ({ project, name }: Pick<OpenedEnvironment, 'project' | 'name'>): string =>
  `${project}/${name}`;

/**
 * The environment, by id, name or `project/name`; without a name the token's only one. `readsOnly`: also the only one of several that ever
 * received anything. One look-up.
 */
export async function lookUpEnvironment(
  ctx: AgentContext,
  environment: string | undefined,
  { readsOnly = false } = {},
): Promise<OpenedEnvironment> {
  const rows = await findOpenedEnvironments(ctx, { named: environment, limit: MAX_LISTED });
  const receiving = readsOnly && environment === undefined ? rows.filter(({ receives }) => receives) : [];
  const found = theOne(
    receiving.length === 1 ? receiving : rows,
    environment,
    { what: 'environment', by: 'a `name` or `id`', apart: 'a whole `name` or `id`' },
    {
      choice: (row) => ({ id: row.id, name: fullName(row) }),
      labelsOf: (row) => [row.name, fullName(row)],
    },
  );
  return environments.keep(ctx, found);
}

/** The same for a question, whose own statement asks whether the caller may see the site: no look-up for an id. */
export const findSite = async (ctx: AgentContext, site: string | undefined): Promise<AskedSite> =>
  isId(site) ? (sites.find(ctx, site) ?? { id: site.toLowerCase() }) : lookUpSite(ctx, site);

/** The site's time zone. One look-up if the site was named by an id that wasn't asked for in the last minute. */
export const zoneOf = async (ctx: AgentContext, { id, timezone }: AskedSite): Promise<string> =>
  timezone ?? (await lookUpSite(ctx, id)).timezone;

/** The same for a question: no look-up for the id of an environment that was asked for in the last minute. */
export const findEnvironment = async (
  ctx: AgentContext,
  environment: string | undefined,
): Promise<OpenedEnvironment> =>
  (isId(environment) ? environments.find(ctx, environment) : undefined) ??
  lookUpEnvironment(ctx, environment, { readsOnly: true });

/** Throws the error that names what there is, if a call found nothing because it names a site or an environment that the token doesn't open. */
export async function explainNotFound(ctx: AgentContext, { site, environment }: Record<string, unknown>) {
  if (typeof site === 'string' && isId(site)) await lookUpSite(ctx, site);
  if (typeof environment === 'string' && isId(environment)) await lookUpEnvironment(ctx, environment);
}
