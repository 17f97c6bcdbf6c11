import * as v from 'valibot';
import type { NearValues } from '../../../lib/analytics/near-values.ts';
import { invalid } from '../../../lib/http/issues.ts';
import type { AgentContext } from '../agent-context.ts';
import { reading } from '../agent-tool.ts';
import type { AskedSite } from '../find-opened.ts';
import { askAsNamed, nearNames } from '../near-names.ts';
import { eventsByCurrency, eventTimes, valuesWithRevenue } from '../own-reports.ts';
import { readRows, tellReport } from '../report-rows.ts';
import { analytics, breakDown, CALENDAR_INTERVALS, CONVERSIONS, text } from '../site-answer.ts';
import { askedOf, filterFields, pagingFields, siteFields, siteUntrusted } from '../site-question.ts';
import { limitOverTime } from '../tool-answer.ts';

export const reportEvents = reading({
  name: 'report_events',
  title: 'Custom events',
  description:
    'Which custom events happened? All with revenue; `event` `by` time; property keys of `event`, values of `property` with revenue. `of: pages`: properties of page views.',
  scopes: analytics,
  entries: {
    of: v.optional(v.picklist(['events', 'pages']), 'events'),
    event: text(64),
    by: v.optional(v.picklist(CALENDAR_INTERVALS)),
    property: text(64),
    ...siteFields,
    ...filterFields,
    ...pagingFields,
  },
  run: async (ctx, input) => {
    const { of, event, by, property } = input;
    if (by !== undefined && (of === 'pages' || event === undefined || property !== undefined))
      throw invalid([{ path: 'by', message: 'must come with `event`, without `property` and `of: pages`' }]);
    if (of === 'events' && event === undefined && property !== undefined)
      throw invalid([{ path: 'event', message: 'is required with `property`, or `of: pages`' }]);
    const { site, ...asked } = await askedOf(ctx, input);
    return askAsNamed(ctx, input, {
      ask: (own, named) => tellEvents(own, site, named, asked),
      near: (named) => nearEvents(ctx, named, asked.fields),
    });
  },
});

interface Named {
  of: 'events' | 'pages';
  event?: string | undefined;
  by?: (typeof CALENDAR_INTERVALS)[number] | undefined;
  property?: string | undefined;
}

type Asked = Awaited<ReturnType<typeof askedOf>>;

/** What a filter by a property means for events. */
const WHOLE_VISITS = 'A filter by a property keeps whole visits: their events with another value count, too.';

const NO_EVENTS = 'Times without such an event are left out.';

/** Names that are compared with one that isn't there. */
const MAX_COMPARED = 100;

/** The event or the property that no event of the range has, with the nearest that there are. */
async function nearEvents(
  ctx: AgentContext,
  { of, event, property }: Named,
  asked: Asked['fields'],
): Promise<NearValues[]> {
  const { filters: _, segment: __, ...fields } = asked;
  const list = async (report: string, own: object): Promise<{ name?: string; key?: string }[]> => {
    const { rows } = await readRows(ctx, {
      tool: 'report_events',
      report,
      fields: { ...fields, ...own },
      limit: MAX_COMPARED,
    });
    return [...rows];
  };
  if (of === 'events' && event !== undefined) {
    const near = nearNames(
      'event',
      event,
      (await list('events', {})).flatMap(({ name }) => name ?? []),
    );
    if (near.length > 0) return near;
  }
  if (property === undefined) return [];
  const keys = await (of === 'pages' ? list('page-props', {}) : list('event-props', { name: event }));
  return nearNames(
    'property',
    property,
    keys.flatMap(({ key }) => key ?? []),
  );
}

async function tellEvents(
  ctx: AgentContext,
  site: AskedSite,
  { of, event, by, property, limit, cursor }: Named & { limit: number; cursor?: string | undefined },
  { fields: common, around }: Omit<Asked, 'site'>,
): Promise<object> {
  if (event !== undefined && by !== undefined)
    return tellReport(
      ctx,
      site,
      {
        ...{ tool: 'report_events', report: `${by}s of ${event}`, own: eventTimes(event), cursor },
        fields: { ...common, interval: by },
        limit: limitOverTime(limit),
      },
      { notes: [NO_EVENTS], next: [breakDown({ ...around, by }, 'All visits.')], untrusted: siteUntrusted },
    );
  const isEvents = of === 'events';
  const report = !isEvents ? 'page-props' : event === undefined ? 'events' : 'event-props';
  const fields = {
    ...common,
    ...(isEvents && event !== undefined && { name: event }),
    ...(property !== undefined && { key: property }),
  };
  return tellReport(
    ctx,
    site,
    {
      ...{ tool: 'report_events', report, fields, limit, cursor },
      ...(report === 'events' && { own: eventsByCurrency }),
      ...(isEvents &&
        event !== undefined &&
        property !== undefined && { own: valuesWithRevenue(event, property) }),
    },
    {
      notes: [
        report === 'events' && CONVERSIONS,
        Object.keys(common.filters ?? {}).some((name) => name.startsWith('prop_')) && WHOLE_VISITS,
        report !== 'events' &&
          property === undefined &&
          'Each row is a property: name it in `property` for its values.',
      ],
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
}
