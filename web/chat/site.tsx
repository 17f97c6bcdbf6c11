/** The view of `summarize_site`: figures with their change, visitors over time, the first rows of four lists, goals and annotations. */
import { Component } from 'preact';
import { areaPath, linePath } from '../app/charts/path.ts';
import { show, type ViewProps } from './show.tsx';
import { SITE_WORDS, type SiteWords } from './site-words.ts';
import { type Step, stepsOf, type TrendPoint } from './trend.ts';
import { CLOCK, change, count, country, DAY, percent, seconds, when } from './written.ts';

interface Row {
  path?: string;
  value?: string;
  visitors: number;
}

interface Goal {
  name: string;
  exact: { conversions: number; visits: number; conversionRate: number | null } | null;
}

interface SiteAnswer {
  data: {
    totals: Readonly<Record<string, number | null | undefined>>;
    trend: { interval: string; points: readonly TrendPoint[] };
    pages: readonly Row[];
    sources: readonly Row[];
    countries: readonly Row[];
    devices: readonly Row[];
    goals: readonly Goal[];
    annotations: readonly { date: string; text: string }[];
    firing?: readonly { name: string }[];
  };
  scope: { site?: string; siteId?: string; filters?: Readonly<Record<string, unknown>> };
  range: { from: string; to: string; timezone: string };
  coverage: { observed: boolean; since: string | null };
  freshness: { evaluatedAt: string };
}

const FIGURES = ['visitors', 'visits', 'pageviews', 'bounceRate', 'avgDuration'] as const;
const CHART = { width: 640, height: 120 } as const;

function Site({ answer, words, tag }: ViewProps<SiteAnswer, SiteWords>) {
  const { data, scope, range, coverage } = answer;
  const days = {
    ...DAY,
    year: 'numeric',
    timeZone: range.from.length > 10 ? range.timezone : 'UTC',
  } as const;
  const filters = Object.entries(scope.filters ?? {}).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return (
    <>
      <header>
        <h1>{scope.site ?? scope.siteId}</h1>
        <p class="soft">
          {new Intl.DateTimeFormat(tag, days).formatRange(new Date(range.from), new Date(range.to))}
        </p>
      </header>
      {filters.length > 0 && (
        <p class="soft">
          {words.filters}: {filters.join(' · ')}
        </p>
      )}
      {data.firing !== undefined && data.firing.length > 0 && (
        <p class="wrong">
          {words.firing}: {data.firing.map(({ name }) => name).join(' · ')}
        </p>
      )}
      {!coverage.observed && <p>{words.unobserved}</p>}
      <dl class="figures">
        {FIGURES.map((name) => (
          <Figure key={name} {...{ name, words, tag }} totals={data.totals} />
        ))}
      </dl>
      {coverage.observed && <Chart {...{ answer, words, tag }} />}
      <div class="lists">
        <List title={words.pages} rows={data.pages} tag={tag} />
        <List title={words.sources} rows={data.sources} tag={tag} />
        <List title={words.countries} rows={data.countries} tag={tag} named={(code) => country(code, tag)} />
        <List
          title={words.devices}
          rows={data.devices}
          tag={tag}
          named={(device) => deviceName(device, words)}
        />
      </div>
      {data.goals.length > 0 && <Goals goals={data.goals} {...{ words, tag }} />}
      {data.annotations.length > 0 && (
        <section>
          <h2>{words.notes}</h2>
          <ul>
            {data.annotations.map(({ date, text }, index) => (
              <li key={index}>
                <span class="soft">{when(date, tag, 'UTC', DAY)}</span> {text}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function deviceName(device: string, words: SiteWords): string {
  const known: Record<string, string> = {
    desktop: words.desktop,
    mobile: words.mobile,
    tablet: words.tablet,
    unknown: words.unknown,
  };
  return Object.hasOwn(known, device) ? (known[device] ?? device) : device;
}

interface FigureProps {
  name: (typeof FIGURES)[number];
  totals: SiteAnswer['data']['totals'];
  words: SiteWords;
  tag: string;
}

/** A figure that wasn't measured is a dash. Only counts have a change. */
function Figure({ name, totals, words, tag }: FigureProps) {
  const value = totals[name];
  const moved = totals[`${name}Change`];
  const shown =
    value == null
      ? '–'
      : name === 'bounceRate'
        ? percent(value, tag)
        : name === 'avgDuration'
          ? seconds(value)
          : count(value, tag);
  return (
    <div>
      <dt>{words[name]}</dt>
      <dd>
        {shown}
        {typeof moved === 'number' && (
          <small class={moved < 0 ? 'wrong' : moved > 0 ? 'good' : 'soft'}>
            {moved < 0 ? '↓' : moved > 0 ? '↑' : ''} {change(moved, tag)}
          </small>
        )}
      </dd>
    </div>
  );
}

/** A line of visitors. A slider over it chooses a point, by pointer and by the arrow keys. */
class Chart extends Component<ViewProps<SiteAnswer, SiteWords>, { chosen?: number }> {
  override render() {
    const { answer, words, tag } = this.props;
    const { data, range, coverage, freshness } = answer;
    const { interval, points } = data.trend;
    const steps = stepsOf(points, interval, {
      from: [range.from, coverage.since ?? range.from].map(day).sort().at(-1) ?? range.from,
      to: [range.to, freshness.evaluatedAt].map(day).sort()[0] ?? range.to,
    });
    const last = steps.length - 1;
    if (points.length === 0 || last < 1) return null;
    const { width, height } = CHART;
    const values = steps.map(({ visitors }) => visitors);
    const top = Math.max(1, ...values);
    const x = (index: number): number => (width * index) / last;
    const y = (value: number): number => height - 2 - ((height - 6) * value) / top;
    const isOpen = steps[last]?.partial === true;
    const { chosen } = this.state;
    const at = Math.min(chosen ?? last, last);
    const said = sayStep(steps[at] as Step, interval, { range, words, tag });
    return (
      <figure>
        <figcaption>
          <span>{words.chart}</span>
          <output>{said}</output>
        </figcaption>
        <div class="chart">
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
            <path class="area" d={areaPath(values, { x, y }, height)} />
            <path d={linePath(isOpen ? values.slice(0, -1) : values, { x, y })} />
            {isOpen && (
              <path
                class="unfinished"
                d={linePath(
                  values.map((value, index) => (index < last - 1 ? null : value)),
                  { x, y },
                )}
              />
            )}
            {chosen !== undefined && <path class="chosen" d={`M${x(at)},0V${height}`} />}
          </svg>
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            aria-label={words.chart}
            aria-valuetext={said}
            onInput={({ currentTarget }) => this.setState({ chosen: Number(currentTarget.value) })}
            onPointerMove={({ currentTarget, offsetX }) => {
              const near = Math.round((offsetX / currentTarget.clientWidth) * last);
              this.setState({ chosen: Math.min(last, Math.max(0, near)) });
            }}
          />
        </div>
        <p class="ends soft" aria-hidden="true">
          <span>{sayTime(steps[0], interval, { range, tag })}</span>
          <span>{sayTime(steps[last], interval, { range, tag })}</span>
        </p>
      </figure>
    );
  }
}

const day = (at: string): string => at.slice(0, 10);

function sayTime(
  step: Step | undefined,
  interval: string,
  { range, tag }: { range: SiteAnswer['range']; tag: string },
): string {
  if (step === undefined) return '';
  return interval === 'hour'
    ? when(step.at, tag, range.timezone, { ...DAY, ...CLOCK })
    : when(step.at, tag, 'UTC', interval === 'month' ? { month: 'short', year: 'numeric' } : DAY);
}

function sayStep(
  step: Step,
  interval: string,
  { range, words, tag }: { range: SiteAnswer['range']; words: SiteWords; tag: string },
): string {
  const counts = `${words.visitors} ${count(step.visitors, tag)} · ${words.visits} ${count(step.visits, tag)}`;
  const open = step.partial ? ` (${words.unfinished})` : '';
  return `${sayTime(step, interval, { range, tag })}: ${counts}${open}`;
}

interface ListProps {
  title: string;
  rows: readonly Row[];
  tag: string;
  named?: (value: string) => string;
}

function List({ title, rows, tag, named = (value) => value }: ListProps) {
  if (rows.length === 0) return null;
  const top = Math.max(1, ...rows.map(({ visitors }) => visitors));
  return (
    <section>
      <h2>{title}</h2>
      <ul class="bars">
        {rows.map(({ path, value, visitors }, index) => (
          <li key={index}>
            <span class="bar" style={{ width: `${(100 * visitors) / top}%` }} />
            <span class="name" title={path ?? value}>
              {named(path ?? value ?? '')}
            </span>
            <span class="number">{count(visitors, tag)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Goals({ goals, words, tag }: { goals: readonly Goal[]; words: SiteWords; tag: string }) {
  return (
    <section>
      <h2>{words.goals}</h2>
      <ul class="bars">
        {goals.map(({ name, exact }, index) => (
          <li key={index}>
            <span class="bar" style={{ width: `${Math.min(100, exact?.conversionRate ?? 0)}%` }} />
            <span class="name">{name}</span>
            <span class="number">
              {exact === null
                ? '–'
                : `${count(exact.conversions, tag)} / ${count(exact.visits, tag)} · ${exact.conversionRate === null ? '–' : percent(exact.conversionRate, tag)}`}
            </span>
          </li>
        ))}
      </ul>
      <p class="soft">{words.goalsNote}</p>
    </section>
  );
}

show({ name: 'vendor-site', words: SITE_WORDS, View: Site });
