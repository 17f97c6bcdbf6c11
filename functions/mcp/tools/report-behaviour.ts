import * as v from 'valibot';
import { findNearValues, type NearValues } from '../../../lib/analytics/near-values.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import type { AskedSite } from '../find-opened.ts';
import { askAsNamed } from '../near-names.ts';
import { tellReport } from '../report-rows.ts';
import { analytics, breakDown, text } from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';

const MAX_PATH_LENGTH = 1024;

export const reportBehaviour = reading({
  name: 'report_behaviour',
  title: 'Journeys and retention',
  description:
    'Which ways do visits take, who comes back? `journeys`: frequent paths of up to 5 pages, from `start` or up to `end`. `retention`: weekly cohorts.',
  scopes: analytics,
  entries: {
    what: v.picklist(['journeys', 'retention']),
    start: text(MAX_PATH_LENGTH),
    end: text(MAX_PATH_LENGTH),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  run: async (ctx, input) => {
    const { site, ...asked } = await askedOf(ctx, input);
    return askAsNamed(ctx, input, {
      ask: (own, named) => tellBehaviour(own, site, named, asked),
      near: ({ start, end }) => nearEnds(ctx, site, { start, end }),
    });
  },
});

/** The ends of journeys that are no pages of the site, with the nearest pages. */
async function nearEnds(ctx: AgentContext, { id }: AskedSite, ends: Ends): Promise<NearValues[]> {
  const named = Object.entries(ends).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const near = await findNearValues(
    ctx,
    id,
    named.map(({ value }) => ({ filter: 'page', value })),
  );
  return named
    .flatMap(({ name }, n) => (near[n] === undefined ? [] : [{ ...near[n], filter: name }]))
    .filter(({ value, nearest }) => !nearest.includes(value));
}

interface Ends {
  start?: string | undefined;
  end?: string | undefined;
}

type Asked = Awaited<ReturnType<typeof askedOf>>;

async function tellBehaviour(
  ctx: AgentContext,
  site: AskedSite,
  { what, start, end, limit, cursor }: Ends & { what: string; limit: number; cursor?: string | undefined },
  { fields: common, around }: Omit<Asked, 'site'>,
): Promise<object> {
  const fields = {
    ...common,
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  };
  return tellReport(
    ctx,
    site,
    { tool: 'report_behaviour', report: what, fields, limit, cursor },
    {
      notes: [
        what === 'retention' &&
          '`visitors` came first in the week; `returned`: how many of them came in the week after, the one after that, and so on. Who came in several weeks counts in each. `partial`: the last of these weeks isn’t over, or `week` isn’t whole in the range.',
        what === 'retention' &&
          'Only consented visits (tier 3) can be linked to the same person on other days.',
      ],
      next: [breakDown({ ...around, by: 'entry_page' }, 'Where do visits begin?')],
      untrusted: [...(what === 'journeys' ? ['data[].pages'] : []), ...siteUntrusted],
    },
  );
}
