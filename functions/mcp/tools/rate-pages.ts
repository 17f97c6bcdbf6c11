import * as v from 'valibot';
import { reading } from '../agent-tool.ts';
import { tellReport } from '../report-rows.ts';
import { analytics, breakDown } from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';

export const ratePages = reading({
  name: 'rate_pages',
  title: 'Speed and attention by page',
  description:
    'Which pages are slow, and which are read? `vitals`: p75 of LCP, INP, CLS, FCP and TTFB by page. `engagement`: seconds and scroll depth by page. Consented visits only; filters: page and tier.',
  scopes: analytics,
  entries: {
    by: v.picklist(['vitals', 'engagement']),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  run: async (ctx, { by, limit, cursor, ...input }) => {
    const { site, fields, around } = await askedOf(ctx, input);
    return tellReport(
      ctx,
      site,
      { tool: 'rate_pages', report: by, fields, limit, cursor },
      {
        notes: [
          'Only consented page views (tier 3) are measured. They are not kept by device or country, so a split by these is not known.',
          'Sorted by how many were measured, not by the value.',
        ],
        next: [breakDown({ ...around, by: 'page' }, 'How often is each page seen?')],
        untrusted: ['data[].path', ...siteUntrusted],
      },
    );
  },
});
