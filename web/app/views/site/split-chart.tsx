import { Link } from 'wouter-preact';
import { OTHER } from '../../../../lib/visits/other-value.ts';
import type { TimeseriesPoint } from '../../api/operations.generated.ts';
import { BarsChart } from '../../charts/bars-chart.tsx';
import { CHART_HEIGHT } from '../../charts/chart-height.ts';
import { NumbersTable } from '../../charts/numbers-table.tsx';
import type { Picking } from '../../charts/plot.tsx';
import type { ChartPoint } from '../../charts/time-chart.tsx';
import { compact, exact } from '../../format.ts';
import { dimensionOf, type Metric, type Split, withFilter } from '../../state/site-query.ts';
import { useSiteQuery } from '../../state/use-site-query.ts';
import { words } from '../../words/index.ts';
import { wordOf } from './filter-text.ts';
import { showValue } from './panels.ts';

interface SplitChartProps {
  /** The points of the line, in the order of `data`. */
  points: readonly ChartPoint[];
  data: readonly TimeseriesPoint[];
  metric: Metric;
  by: Split;
  pick: Picking | undefined;
  /** Whether the numbers are shown as a table, too. */
  isTable: boolean;
}

/** A metric over time by the values of a dimension: stacked bars, what each colour is, and the same numbers as a table. */
export default function SplitChart({ points, data, metric, by, pick, isTable }: SplitChartProps) {
  const { query, hrefOf } = useSiteQuery();
  const begun = points.filter(({ isFuture }) => !isFuture);
  const dimension = dimensionOf(by);
  const parts = valuesOf(data).map((value, index) => ({
    value,
    name: value === OTHER ? words.split.others : showValue(dimension, value),
    kind:
      value === OTHER
        ? 'slice series-0'
        : by === 'tier'
          ? `slice tier-${value}`
          : `slice series-${index + 1}`,
    numbers: data.map((point) => point.parts?.find((part) => part.value === value)?.[metric]),
  }));
  const name = `${words.figures[metric]}, ${words.split.label}: ${wordOf(dimension)}`;
  return (
    <>
      <BarsChart
        name={name}
        height={CHART_HEIGHT}
        columns={begun.map(({ value, notes = [], ...point }) => ({
          ...point,
          notes: value === null ? notes : [`${words.figures[metric]}: ${exact(value)}`, ...notes],
        }))}
        layers={parts.map(({ numbers, ...part }) => ({
          ...part,
          // What isn't observed has no parts of 0 either.
          values: begun.map(({ value }, index) => (value === null ? null : (numbers[index] ?? 0))),
        }))}
        format={compact}
        pick={pick}
      />
      <ul class="parts" aria-label={wordOf(dimension)}>
        {parts.map((part) => (
          <li key={part.value} class={part.kind}>
            {part.value === OTHER ? (
              part.name
            ) : (
              <Link
                href={hrefOf(withFilter(query, { dimension, operator: 'is', values: [part.value] }))}
                aria-label={words.filters.only(part.name)}
              >
                {part.name}
              </Link>
            )}
          </li>
        ))}
      </ul>
      {isTable && (
        <NumbersTable
          times={[words.chart.time]}
          names={[words.figures[metric], ...parts.map((part) => part.name)]}
          rows={() =>
            begun.map((point, index) => ({
              // Two hours have one name when clocks go back.
              key: data[index]?.time ?? point.longLabel,
              times: [point.longLabel],
              numbers: [data[index]?.[metric], ...parts.map(({ numbers }) => numbers[index])].map((number) =>
                number === undefined || point.value === null ? '–' : exact(number),
              ),
            }))
          }
        />
      )}
    </>
  );
}

/** The values in the order of the parts. A share leaves small ones out of single points. */
const valuesOf = (data: readonly TimeseriesPoint[]): string[] => {
  const values = [...new Set(data.flatMap(({ parts = [] }) => parts.map(({ value }) => value)))];
  return [...values.filter((value) => value !== OTHER), ...values.filter((value) => value === OTHER)];
};
