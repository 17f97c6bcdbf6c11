import { reading } from '../agent-tool.ts';
import { findSite } from '../find-opened.ts';
import { aboutSite, readRows } from '../report-rows.ts';
import { analytics, breakDown } from '../site-answer.ts';
import { notesOf, siteFields } from '../site-question.ts';
import { tell } from '../tool-answer.ts';

const PRESENT =
  'Of the last 5 minutes: `visitors` are known at tiers 2 and 3, `anonymousPageviews` are page views at tier 1. `pages`: which of them visitors have open.';

const NOBODY =
  'Nobody was seen in these 5 minutes; `freshness.lastEventAt` is when the last event of the site came.';

export const getLive = reading({
  name: 'get_live',
  title: 'Who is there now',
  description: 'How many people are on the website now, on which pages?',
  scopes: analytics,
  entries: { site: siteFields.site },
  run: async (ctx, input) => {
    const site = await findSite(ctx, input.site);
    const asked = { tool: 'get_live', report: 'live', fields: { siteId: site.id }, limit: 1 };
    const { meta, rows } = await readRows(ctx, asked);
    const { count: _, ...data } = rows[0] as { count: number };
    const { observed, since } = meta.coverage;
    // A few minutes without an event are usual where collection goes on.
    const isQuiet = !observed && since !== null;
    const known = { ...meta, coverage: { ...meta.coverage, observed: observed || isQuiet } };
    return tell(ctx, {
      data,
      ...aboutSite(meta, site),
      notes: [isQuiet && NOBODY, ...notesOf(known, { hasVisitors: false }), PRESENT],
      next: [breakDown({ site: site.id, period: '24h', by: 'hour' }, 'The last hours.')],
      untrusted: ['data.pages[].path'],
    });
  },
});
