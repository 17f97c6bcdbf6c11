import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import type { CustomEventItem } from '../../api/operations.generated.ts';
import { isWithheld, useReader } from '../../api/reader.ts';
import { columnPercent, count, exact } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { TabList } from '../../parts/tab-list.tsx';
import { ToolLink } from '../../parts/tool.tsx';
import { type Asked, withFilter } from '../../state/site-query.ts';
import { useTab } from '../../state/use-parameter.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { shownGoal } from '../goals/shown-goal.ts';
import { Change, observedIn } from './change.tsx';
import { useGoals } from './use-goals.ts';
import { useCompare } from './use-overview.ts';

const ROWS = 9;
const TABS = ['goals', 'events'] as const;

/** What visits led to: the goals that most of them reached, and the custom events, with the way to all of each. */
export function GoalsPanel({ asked }: { asked: Asked }) {
  const { query, searchOf } = useSiteQuery();
  const { shows } = useReader();
  const shown = TABS.filter((name) => shows?.includes(name) ?? true);
  const [name, choose] = useTab('goals', shown);
  if (name === undefined) return null;
  return (
    <section class="card panel" aria-label={words.panels[name]}>
      <header>
        <h2 class="unseen">{words.panels[name]}</h2>
        {shown.length > 1 && (
          <TabList
            label={words.panels.goals}
            names={shown}
            chosen={name}
            textOf={(one) => words.panels[one]}
            onChoose={choose}
          />
        )}
        {shows === undefined && (
          <ToolLink
            icon="enlarge"
            href={`/sites/${asked.siteId}/${name}${searchOf(query)}`}
            title={name === 'goals' ? words.goalsPanel.toAll : words.eventsPanel.toAll}
          />
        )}
      </header>
      {name === 'goals' ? <Goals asked={asked} /> : <Events asked={asked} />}
    </section>
  );
}

function Goals({ asked }: { asked: Asked }) {
  const { query, hrefOf } = useSiteQuery();
  const { data, error, refetch, isPlaceholderData } = useGoals(asked);
  if (error) return <Failure error={error} retry={refetch} />;
  const rows = (data?.data ?? [])
    .map(({ id, name, previous, ...goal }) => ({
      ...{ id, name, ...shownGoal(goal) },
      before: previous ? shownGoal(previous).conversions : undefined,
    }))
    .sort((a, b) => b.conversions - a.conversions)
    .slice(0, ROWS);
  const isCompared = data !== undefined && observedIn(data.meta) !== undefined;
  if (data && rows.length === 0)
    return (
      <div class="rows empty">
        {isWithheld(data.meta) ? (
          words.share.tooFewText
        ) : (
          <>
            <strong>{words.goalsPanel.none}</strong>
            <p>{words.goalsPanel.noneText}</p>
          </>
        )}
      </div>
    );
  return (
    <div class={isPlaceholderData ? 'rows dimmed' : 'rows'}>
      <div class="columns">
        <span>{words.goalsPanel.title}</span>
        <span>{words.columns.conversions}</span>
        <span>{isCompared ? words.sites.sorts.change : '%'}</span>
      </div>
      {rows.map(({ id, name, conversions, conversionRate, apart, lines, before }) => (
        <div key={id} class="row">
          <div class="name">
            <span class="bar" style={{ width: `${conversionRate ?? 0}%` }} />
            <Link
              href={hrefOf(withFilter(query, { dimension: 'goal', operator: 'is', values: [name] }))}
              aria-label={words.filters.only(name)}
              title={name}
            >
              {name}
            </Link>
          </div>
          <div class="numbers">
            <span title={exact(conversions)}>
              {count(conversions)}
              {apart > 0 && (
                <small class="soft" title={lines.join(', ')}>
                  {' '}
                  +{count(apart)}
                </small>
              )}
            </span>
            {isCompared ? (
              <Change now={conversions} before={before} />
            ) : (
              <span class="soft">{conversionRate === null ? '–' : columnPercent(conversionRate)}</span>
            )}
          </div>
        </div>
      ))}
      {rows.some(({ apart }) => apart > 0) && <p class="soft small">{words.goalsPanel.apartNote}</p>}
    </div>
  );
}

function Events({ asked }: { asked: Asked }) {
  const reader = useReader();
  const compare = useCompare(asked);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['list', reader.key, 'events', asked, compare],
    queryFn: () => reader.report<CustomEventItem[] | null>('events', asked, { limit: ROWS, compare }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  const rows = data?.data ?? [];
  if (data && rows.length === 0)
    return <div class="rows empty">{isWithheld(data.meta) ? words.share.tooFewText : words.empty.none}</div>;
  const isCompared = data !== undefined && observedIn(data.meta) !== undefined;
  const top = Math.max(1, ...rows.map(({ events }) => events));
  return (
    <div class={isPlaceholderData ? 'rows dimmed' : 'rows'}>
      <div class="columns">
        <span>{words.eventsPanel.title}</span>
        <span>{words.columns.events}</span>
        {isCompared && <span>{words.sites.sorts.change}</span>}
      </div>
      {rows.map(({ name, events, previous }) => (
        <div key={name} class="row">
          <div class="name">
            <span class="bar" style={{ width: `${(100 * events) / top}%` }} />
            <span title={name}>{name}</span>
          </div>
          <div class="numbers">
            <span title={exact(events)}>{count(events)}</span>
            {isCompared && <Change now={events} before={previous?.events} />}
          </div>
        </div>
      ))}
      {rows.length > 0 && <p class="soft small">{words.eventsPanel.edge}</p>}
    </div>
  );
}
