import { Link } from 'wouter-preact';
import { isWithheld, useReader } from '../../api/reader.ts';
import { compact, exact, percent } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { type Asked, withFilter } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { useGoals } from './use-goals.ts';

const ROWS = 9;

/** The goals that most visits reached, with the way to all of them. */
export function GoalsPanel({ asked }: { asked: Asked }) {
  const { query, hrefOf, searchOf } = useSiteQuery();
  const { shows } = useReader();
  const { data, error, refetch, isPlaceholderData } = useGoals(asked);
  if (shows?.includes('goals') === false) return null;
  const rows = data?.data.slice(0, ROWS) ?? [];
  return (
    <section class="card panel" aria-label={words.panels.goals}>
      <header>
        <h2>{words.panels.goals}</h2>
      </header>
      {error && <Failure error={error} retry={refetch} />}
      {data && rows.length === 0 && (
        <div class="rows empty">
          {isWithheld(data.meta) ? (
            words.share.tooFewText
          ) : (
            <>
              <strong>{words.goals.none}</strong>
              <p>{words.goals.noneText}</p>
            </>
          )}
        </div>
      )}
      {!error && (data === undefined || rows.length > 0) && (
        <div class={isPlaceholderData ? 'rows dimmed' : 'rows'}>
          <div class="columns">
            <span>{words.goals.title}</span>
            <span class="number">{words.columns.conversions}</span>
          </div>
          {rows.map(({ id, name, conversions, conversionRate }) => (
            <div key={id} class="row">
              <div class="name">
                <span class="bar" style={{ width: `${conversionRate}%` }} />
                <Link
                  href={hrefOf(withFilter(query, { dimension: 'goal', operator: 'is', values: [name] }))}
                  aria-label={words.filters.only(name)}
                  title={name}
                >
                  {name}
                </Link>
              </div>
              <div class="numbers">
                <span title={exact(conversions)}>{compact(conversions)}</span>
                <span class="soft">{percent(conversionRate)}</span>
              </div>
            </div>
          ))}
        </div>
      )}
      {shows === undefined && (
        <Link class="button plain" href={`/sites/${asked.siteId}/goals${searchOf(query)}`}>
          {words.goals.toAll}
        </Link>
      )}
    </section>
  );
}
