import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { type ErrorDetails as Details, getError } from '../../api/operations.generated.ts';
import { BarsChart } from '../../charts/bars-chart.tsx';
import { NumbersDetails } from '../../charts/numbers-table.tsx';
import { compact, exact, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { type EnvironmentIds, rangeOf, useFields, viewHref } from '../../state/telemetry-query.ts';
import { backendWords } from '../../words/backend.ts';
import { words } from '../../words/index.ts';
import { ErrorTitle, StateMark, timesOf } from './error-title.tsx';
import { StateButtons } from './state-buttons.tsx';

const HEIGHT = 140;
const DAY_SECONDS = 86_400;
const MOST_VISITS = 10;

interface ErrorDetailsProps {
  environment: EnvironmentIds;
  errorId: string;
  isManager: boolean;
}

/** One group: how often by hour, its releases, its newest traces, and what led there. */
export function ErrorDetails({ environment, errorId, isManager }: ErrorDetailsProps) {
  const { fields, hrefWith } = useFields();
  const asked = { ...environment, ...rangeOf(fields), errorId };
  const texts = backendWords.errors;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['error', asked],
    queryFn: ({ signal }) => getError(asked, signal),
    placeholderData: keepPreviousData,
  });
  if (error) return <Failure error={error} retry={refetch} />;
  if (data === undefined) return <p class="empty">{words.loading}</p>;
  const group = data.data;
  const { service, firstSeenAt, lastSeenAt, firstRelease, lastRelease } = group;
  return (
    <article class={isPlaceholderData ? 'dimmed' : undefined}>
      <p class="spaced">
        <Link href={hrefWith({ error: undefined })}>← {backendWords.views.errors}</Link>
      </p>
      <header class="card error-head">
        <h2>
          <ErrorTitle group={group} />
        </h2>
        <p class="soft">
          <StateMark group={group} />
          {service !== null && <Link href={viewHref(environment, 'services', { service })}>{service}</Link>}
          <span>{texts.first(time(firstSeenAt, 'long-hour', 'UTC'), firstRelease)}</span>
          <span>{texts.last(time(lastSeenAt, 'long-hour', 'UTC'), lastRelease)}</span>
        </p>
        {isManager && <StateButtons environment={environment} group={group} />}
        <p class="soft">{texts.stateText[group.state]}</p>
      </header>
      <Counts group={group} from={Date.parse(data.meta.countedFrom)} seconds={data.meta.intervalSeconds} />
      <div class="error-columns">
        <Traces environment={environment} group={group} />
        <Pages environment={environment} group={group} />
        <Releases group={group} />
      </div>
    </article>
  );
}

function Counts({ group, from, seconds }: { group: Details; from: number; seconds: number }) {
  const texts = backendWords.errors;
  const at = (index: number): number => from + index * seconds * 1000;
  const nameOf = (index: number): string =>
    seconds === DAY_SECONDS ? time(at(index), 'day', 'UTC') : `${time(at(index), 'long-hour', 'UTC')} UTC`;
  const { counts } = group;
  return (
    <section class="card part" aria-label={texts.often}>
      <h2>
        {texts.often} <span class="soft">{timesOf(group)}</span>
      </h2>
      <BarsChart
        name={texts.often}
        height={HEIGHT}
        columns={counts.map((_, index) => ({
          label: time(at(index), counts.length > 48 || seconds === DAY_SECONDS ? 'day' : 'hour', 'UTC'),
          longLabel: nameOf(index),
        }))}
        layers={[{ name: texts.often, kind: 'error', values: counts }]}
        format={compact}
      />
      <NumbersDetails
        times={[`${words.chart.time} (UTC)`]}
        names={[texts.often]}
        rows={() =>
          counts.map((count, index) => ({
            key: String(index),
            times: [nameOf(index)],
            numbers: [exact(count)],
          }))
        }
      />
    </section>
  );
}

function Traces({ environment, group }: { environment: EnvironmentIds; group: Details }) {
  const texts = backendWords.errors;
  return (
    <section class="card part">
      <h2>{texts.examples}</h2>
      {group.examples.length === 0 && <p class="soft">{texts.noExamples}</p>}
      <ul class="error-links">
        {group.examples.map(({ time: at, traceId, spanId }) => (
          <li key={`${at} ${traceId}`}>
            <Link
              href={
                traceId === null
                  ? viewHref(environment, 'logs', {
                      severity: 'error',
                      service: group.service ?? undefined,
                      from: new Date(Date.parse(at) - 1000).toISOString(),
                      to: new Date(Date.parse(at) + 1000).toISOString(),
                    })
                  : viewHref(environment, `traces/${traceId}`, { span: spanId ?? undefined })
              }
            >
              {time(at, 'instant', 'UTC')}
            </Link>{' '}
            {traceId === null ? (
              <span class="soft">{texts.logRecord}</span>
            ) : (
              <code class="soft">{traceId.slice(0, 8)}…</code>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Pages({ environment, group }: { environment: EnvironmentIds; group: Details }) {
  const texts = backendWords.errors;
  const { pageViews, pages, visits } = group;
  return (
    <section class="card part">
      <h2>{texts.pages}</h2>
      {pageViews !== 'observed' && (
        <p class="soft">
          {texts.noPages[pageViews === 'not permitted' ? 'notPermitted' : 'notObserved']}{' '}
          {pageViews === 'not observed' && (
            <Link href={viewHref(environment, 'connection')}>{backendWords.empty.toConnection}</Link>
          )}
        </p>
      )}
      {pages.length > 0 && (
        <ul class="error-links">
          {pages.map(({ siteId, domain, path, visits: count }) => (
            <li key={`${siteId} ${path}`}>
              <Link href={`/sites/${siteId}?filter_page=${encodeURIComponent(path)}`}>
                {domain}
                {path}
              </Link>{' '}
              <span class="soft">{texts.visits(count, exact(count))}</span>
            </li>
          ))}
        </ul>
      )}
      {visits.length > 0 && (
        <>
          <h3>{texts.visitsTitle}</h3>
          <ul class="error-links">
            {visits.slice(0, MOST_VISITS).map(({ startedAt, source, traceId }) => (
              <li key={traceId}>
                <Link href={viewHref(environment, `traces/${traceId}`)}>
                  {time(startedAt, 'instant', 'UTC')}
                </Link>{' '}
                <span class="soft">{source}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Releases({ group: { releases } }: { group: Details }) {
  const texts = backendWords.errors;
  if (releases.length === 0) return null;
  return (
    <section class="card part">
      <h2>{texts.releases}</h2>
      <Scrolls label={texts.releases}>
        <table class="list-table">
          <thead>
            <tr>
              <th>{texts.release}</th>
              <th class="number">{texts.often}</th>
              <th>{texts.sinceHour}</th>
            </tr>
          </thead>
          <tbody>
            {releases.map(({ release, firstHour, occurrences }) => (
              <tr key={release ?? ''}>
                <td>{release ?? <span class="soft">{texts.unknownRelease}</span>}</td>
                <td class="number">{exact(occurrences)}</td>
                <td>{time(firstHour, 'long-hour', 'UTC')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </section>
  );
}
