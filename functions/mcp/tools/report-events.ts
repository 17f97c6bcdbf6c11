import * as v from 'valibot';
import { reading } from '../agent-tool.ts';
import { ChoiceError } from '../choice-error.ts';
import { tellReport } from '../report-rows.ts';
import { analytics, CONVERSIONS, text } from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';

export const reportEvents = reading({
  name: 'report_events',
  title: 'Custom events',
  description:
    'Which custom events happened, with which properties? All events with revenue; with `event` its property keys, with `property` too the values of that key. `of: pages`: properties of page views.',
  scopes: analytics,
  entries: {
    of: v.optional(v.picklist(['events', 'pages']), 'events'),
    event: text(64),
    property: text(64),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  run: async (ctx, { of, event, property, limit, cursor, ...input }) => {
    const { site, fields: common, around } = await askedOf(ctx, input);
    const isEvents = of === 'events';
    if (isEvents && event === undefined && property !== undefined)
      throw new ChoiceError(
        'VALIDATION_ERROR',
        'Name the `event` whose `property` is meant, or `of: pages`.',
        {
          choices: [],
          details: [{ path: 'event', message: 'is required with `property`' }],
        },
      );
    const report = !isEvents ? 'page-props' : event === undefined ? 'events' : 'event-props';
    const fields = {
      ...common,
      ...(isEvents && event !== undefined && { name: event }),
      ...(property !== undefined && { key: property }),
    };
    return tellReport(
      ctx,
      site,
      { tool: 'report_events', report, fields, limit, cursor },
      {
        notes: [report === 'events' && CONVERSIONS],
        next: [
          {
            tool: 'report_conversions',
            arguments: around,
            why: 'How many visits reached a goal?',
            scope: 'analytics:read',
          },
        ],
        untrusted: [
          ...(report === 'events' ? ['data[].name'] : ['data[].key', 'data[].value']),
          ...siteUntrusted,
        ],
      },
    );
  },
});
