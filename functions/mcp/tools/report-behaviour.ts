import * as v from 'valibot';
import { reading } from '../agent-tool.ts';
import { tellReport } from '../report-rows.ts';
import { analytics, breakDown, text } from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';

const MAX_PATH_LENGTH = 1024;

export const reportBehaviour = reading({
  name: 'report_behaviour',
  title: 'Journeys and retention',
  description:
    'Which ways do visits take, and do people come back? `journeys`: most frequent paths of up to 5 pages, from `start` on or up to `end`. `retention`: weekly cohorts.',
  scopes: analytics,
  entries: {
    what: v.picklist(['journeys', 'retention']),
    start: text(MAX_PATH_LENGTH),
    end: text(MAX_PATH_LENGTH),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  run: async (ctx, { what, start, end, limit, cursor, ...input }) => {
    const { site, fields: common, around } = await askedOf(ctx, input);
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
            'Only consented visits (tier 3) can be linked to the same person on other days.',
        ],
        next: [breakDown({ ...around, by: 'entry_page' }, 'Where do visits begin?')],
        untrusted: [...(what === 'journeys' ? ['data[].pages'] : []), ...siteUntrusted],
      },
    );
  },
});
