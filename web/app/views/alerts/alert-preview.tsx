import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SHORT } from '../../../../lib/alerts/alert-fields.ts';
import type { AlertPreview as Preview } from '../../api/operations.generated.ts';
import { NumbersDetails } from '../../charts/numbers-table.tsx';
import { ThresholdChart, type ThresholdPoint } from '../../charts/threshold-chart.tsx';
import { compact, exact, time } from '../../format.ts';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { alertWords } from '../../words/alerts.ts';
import { words } from '../../words/index.ts';
import { type AlertSource, keyOf, type Rule } from './alert-source.ts';
import { conditionText, valueText, when } from './alert-text.ts';
import { useGoalNames } from './use-alerts.ts';

/** What is typed is asked for when it rests. */
const REST_MS = 500;
/** While a site is counted back. */
const ASK_MS = 10_000;
const MOST_ASKED = 30;
const MOST_LISTED = 10;

interface AlertPreviewProps {
  source: AlertSource;
  /** Undefined: it can't be evaluated yet. */
  rule: Rule | undefined;
}

/** The last 14 days of the number, with the limit, and when the rule would have fired. */
export function AlertPreview({ source, rule }: AlertPreviewProps) {
  const texts = alertWords.preview;
  const { rested, isTyped } = useRested(rule);
  const hasPreview = rested !== undefined && !SHORT.includes(rested.metric);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...keyOf(source), 'preview', rested],
    queryFn: ({ signal }) => source.preview(rested as Rule, signal),
    enabled: hasPreview,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data: preview, dataUpdateCount } }) =>
      source.site !== undefined && preview && isCounting(preview) && dataUpdateCount < MOST_ASKED
        ? ASK_MS
        : false,
  });
  return (
    <Section title={texts.title}>
      {rule === undefined && <p class="soft">{texts.incomplete}</p>}
      {rested !== undefined && !hasPreview && <p class="soft">{texts.noPreview}</p>}
      {hasPreview && error && <Failure error={error} retry={refetch} />}
      {hasPreview && !error && data === undefined && <p class="soft">{words.loading}</p>}
      {rule !== undefined && hasPreview && data && !error && (
        <div class="previewed" aria-busy={isPlaceholderData || isTyped}>
          <Previewed {...{ source, preview: data }} rule={rested} />
        </div>
      )}
    </Section>
  );
}

/** Whether days are still to come that may be counted. */
const isCounting = ({ countedFrom, from }: Preview): boolean =>
  countedFrom === null || Date.parse(countedFrom) > Date.parse(from);

/** The rule as it is when nothing was typed for a moment, and whether something was typed since. */
function useRested(rule: Rule | undefined): { rested: Rule | undefined; isTyped: boolean } {
  const key = JSON.stringify(rule);
  const [rested, setRested] = useState(rule);
  const newest = useRef(rule);
  newest.current = rule;
  useEffect(() => {
    const timer = setTimeout(() => setRested(newest.current), REST_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return { rested, isTyped: key !== JSON.stringify(rested) };
}

interface PreviewedProps {
  source: AlertSource;
  rule: Rule;
  preview: Preview;
}

function Previewed({ source, rule, preview }: PreviewedProps) {
  const texts = alertWords.preview;
  const { zone, site } = source;
  const { nameOf } = useGoalNames(source);
  const { fired, firings, values, countedFrom, stepMinutes } = preview;
  const isKnown = values.some(({ value }) => value !== null);
  const isLate = countedFrom !== null && isCounting(preview);
  return (
    <>
      <p class="small">{conditionText(rule, nameOf)}</p>
      {!isKnown ? (
        <p class="soft">{site && countedFrom === null ? texts.beginning : texts.nothing}</p>
      ) : (
        <>
          <p role="status">
            <strong>
              {fired > 0
                ? texts.fired(fired, exact(fired))
                : isLate
                  ? texts.neverSince(when(countedFrom, zone))
                  : texts.never}
            </strong>
          </p>
          <Drawn {...{ source, rule, preview }} />
        </>
      )}
      {firings.length > 0 && (
        <>
          {fired > MOST_LISTED && <p class="small">{texts.last(exact(MOST_LISTED))}</p>}
          <ul class="firings small">
            {firings
              .slice(-MOST_LISTED)
              .reverse()
              .map(({ from, to, value }) => (
                <li key={from}>
                  {when(from, zone)} – {to === null ? texts.still : when(to, zone)}{' '}
                  <span class="soft">{valueText(value, rule)}</span>
                </li>
              ))}
          </ul>
        </>
      )}
      {isLate && (
        <p class="soft small">{(site ? texts.counting : texts.countedFrom)(when(countedFrom, zone))}</p>
      )}
      {!site && stepMinutes > rule.forMinutes && isKnown && <p class="soft small">{texts.scaled}</p>}
    </>
  );
}

/** Where the rule begins to hold, at a value that it is compared with. */
function limitAt({ compare, threshold }: Rule, baseline: number | null): number | null {
  switch (compare) {
    case 'above':
    case 'below':
      return threshold;
    case 'silent':
      return null;
    case 'rose_by':
      return baseline === null ? null : baseline * (1 + threshold / 100);
    case 'fell_by':
      return baseline === null ? null : Math.max(0, baseline * (1 - threshold / 100));
  }
}

function Drawn({ source: { zone }, rule, preview }: PreviewedProps) {
  const texts = alertWords.preview;
  const { values, firings, stepMinutes, to } = preview;
  const points = values.map(
    ({ time: at, value, baseline }): ThresholdPoint => ({
      label: time(at, 'day', zone),
      longLabel: when(at, zone),
      ...{ value, baseline, limit: limitAt(rule, baseline) },
    }),
  );
  const start = Date.parse(values[0]?.time ?? '');
  /** The hour that ends with the minute. */
  const hourOf = (at: string): number =>
    Math.max(
      0,
      Math.min(points.length - 1, Math.floor((Date.parse(at) - 1 - start) / (stepMinutes * 60_000))),
    );
  const format = (value: number): string => valueText(value, rule);
  const hasBaseline = values.some(({ baseline }) => baseline !== null);
  const hasLimit = points.some(({ limit }) => limit !== null);
  const metric = alertWords.metrics[rule.metric];
  const shown = (value: number | null): string => (value === null ? '–' : format(value));
  return (
    <>
      <ul class="ranges">
        <li>
          <Key kind="line" />
          {metric}
        </li>
        {hasBaseline && (
          <li>
            <Key kind="line other" />
            {texts.baseline}
          </li>
        )}
        {hasLimit && (
          <li>
            <Key kind="line limit" />
            {texts.limit}
          </li>
        )}
        {firings.length > 0 && (
          <li>
            <svg class="key" viewBox="0 0 24 8" aria-hidden="true">
              <g class="fired">
                <rect width={24} height={8} />
              </g>
            </svg>
            {texts.band}
          </li>
        )}
      </ul>
      <ThresholdChart
        name={metric}
        points={points}
        bands={firings.map((one) => ({ from: hourOf(one.from), to: hourOf(one.to ?? to) }))}
        names={{ limit: texts.limit, baseline: texts.baseline, band: texts.band }}
        format={
          rule.metric === 'silence'
            ? format
            : (value) => (value >= 10_000 && !rule.currency ? compact(value) : format(value))
        }
      />
      <NumbersDetails
        times={[texts.hour]}
        names={[metric, ...(hasBaseline ? [texts.baseline] : []), ...(hasLimit ? [texts.limit] : [])]}
        rows={() =>
          points.map((point, index) => ({
            key: String(index),
            times: [point.longLabel],
            numbers: [
              shown(point.value),
              ...(hasBaseline ? [shown(point.baseline)] : []),
              ...(hasLimit ? [shown(point.limit)] : []),
            ],
          }))
        }
      />
    </>
  );
}

const Key = ({ kind }: { kind: string }) => (
  <svg class="key" viewBox="0 0 24 8" aria-hidden="true">
    <path class={kind} d="M1,4H23" />
  </svg>
);
