import { time, timeRange } from '../../format.ts';
import { datesOf } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { textOf } from './filter-text.ts';
import { periodName } from './period-menu.tsx';

/** A line on paper alone: the days, the filters and the time of the figures. On a screen the menus say it. */
export function PrintedRange({ zone }: { zone: string }) {
  const { query } = useSiteQuery();
  const now = Date.now();
  const { from, to } = datesOf(query.period, zone, now);
  const days = timeRange(`${from}T12:00:00Z`, `${to}T12:00:00Z`, 'days', 'UTC');
  const name = periodName(query.period);
  return (
    <p class="printed">
      {[
        ...(name === days ? [days] : [`${name} (${days})`]),
        ...query.filters.map(textOf),
        words.periods.asOf(time(now, 'long-hour', zone)),
      ].join(' · ')}
    </p>
  );
}
