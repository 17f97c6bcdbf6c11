/** Finds the site or the environment that an agent means: by id, name or domain, or the only one. */
import { findOpenedEnvironments, findOpenedSites } from '../../lib/accounts/opened-places.ts';
import type { AgentContext } from './agent-context.ts';
import { ChoiceError } from './choice-error.ts';

const MAX_LISTED = 20;

interface Words {
  /** `site`: the argument, and what an error calls it. */
  what: 'site' | 'environment';
  by: string;
}

/** The one that is meant. Throws `NOT_FOUND` or `VALIDATION_ERROR` with what there is. */
function theOne<Row extends { named: boolean }>(
  rows: readonly Row[],
  asked: string | undefined,
  { what, by }: Words,
  choice: (row: Row) => object,
): Row {
  const named = rows.filter((row) => row.named);
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
      { choices: rows.map(choice) },
    );
  const message =
    asked === undefined
      ? `The token opens several: name one with \`${what}\`, by ${by} from \`choices\`.`
      : `Several have this name: use the \`id\` from \`choices\`.`;
  throw new ChoiceError('VALIDATION_ERROR', message, {
    choices: named.map(choice),
    details: [{ path: what, message: 'must name one of them' }],
  });
}

/** The site, by id, domain or name; without a name the token's only one. One look-up. */
export async function findSite(ctx: AgentContext, site: string | undefined) {
  const rows = await findOpenedSites(ctx, { named: site, limit: MAX_LISTED });
  return theOne(rows, site, { what: 'site', by: 'a `domain` or `id`' }, ({ id, domain, project }) => ({
    id,
    domain,
    project,
  }));
}

/** The environment, by id, name or `project/name`; without a name the token's only one. One look-up. */
export async function findEnvironment(ctx: AgentContext, environment: string | undefined) {
  const rows = await findOpenedEnvironments(ctx, { named: environment, limit: MAX_LISTED });
  return theOne(
    rows,
    environment,
    { what: 'environment', by: 'a `name` or `id`' },
    ({ id, name, project }) => ({ id, name: `${project}/${name}` }),
  );
}
