import { PlotFrame, usePlot } from './plot.tsx';
import { shadeOf } from './shades.tsx';

interface HeatChartProps {
  name: string;
  /** From left to right, each with its cells from below. Null: not observed, which isn't drawn as 0. */
  columns: readonly { label: string; values: readonly number[] | null }[];
  rows: number;
  /** The largest of all values. */
  top: number;
  /** What stands at the left, and how many rows lie below it. */
  scale: readonly number[];
  above: (value: number) => number;
  format: (value: number) => string;
  /** A cell as it is read: where it is, then its figures by name. */
  read: (
    column: number,
    row: number,
  ) => { position: readonly string[]; figures: readonly (readonly string[])[] };
  hint: string;
  /** Gets two opposite corners of what was picked. */
  onPick: (columns: readonly [number, number], rows: readonly [number, number]) => void;
}

const HEIGHT = 300;
const LEFT = 52;
const LABEL_WIDTH = 72;

/** Cells in shades by time and size, with a tip. A cell is picked by click or Enter, several by dragging or Shift with the arrows. */
export function HeatChart(props: HeatChartProps) {
  const { name, columns, rows, top, scale, above, format, read, hint, onPick } = props;
  const plot = usePlot(columns.length, HEIGHT, LEFT, { columns: true, rows });
  const { bottom, band, chosen, anchor, x } = plot;
  const high = (bottom - plot.top) / rows;
  /** The edges of cells are whole pixels, so that these are equally dark. */
  const left = (column: number): number => Math.round(x(column) - band / 2);
  const y = (row: number): number => Math.round(bottom - high * row);
  const box = (column: number, row: number, upTo: number, gap: number): string =>
    `M${left(column)},${y(row)}H${left(column + 1) - gap}V${y(upTo) + gap}H${left(column)}Z`;
  const paths: string[] = [];
  columns.forEach(({ values }, column) => {
    if (values === null) paths[0] = (paths[0] ?? '') + box(column, 0, rows, 0);
    values?.forEach((value, row) => {
      const shade = shadeOf(value, top);
      if (shade > 0) paths[shade] = (paths[shade] ?? '') + box(column, row, row + 1, 1);
    });
  });
  const sides = (one: (index: number) => number): readonly [number, number] => {
    const [a, b] = [one(anchor ?? chosen ?? 0), one(chosen ?? 0)];
    return [Math.min(a, b), Math.max(a, b)];
  };
  const columnOf = (index: number): number => Math.floor(index / rows);
  const rowOf = (index: number): number => index % rows;
  const [from, to] = sides(columnOf);
  const [low, upper] = sides(rowOf);
  const cell = chosen === undefined ? undefined : read(columnOf(chosen), rowOf(chosen));
  return (
    <PlotFrame
      {...{ plot, name, scale, format }}
      y={(value) => y(above(value))}
      labels={columns.map(({ label }) => label)}
      labelWidth={LABEL_WIDTH}
      spoken={
        cell && `${cell.position.join(', ')}: ${cell.figures.map((figure) => figure.join(' ')).join(', ')}`
      }
      tip={
        cell && (
          <>
            {cell.position.map((text) => (
              <p key={text} class="soft">
                {text}
              </p>
            ))}
            {cell.figures.map(([of, value]) => (
              <p key={of}>
                {of} <strong>{value}</strong>
              </p>
            ))}
          </>
        )
      }
      pick={{
        hint,
        onPick: (a, b) => {
          const [first, last] = [rowOf(a), rowOf(b)];
          onPick([columnOf(a), columnOf(b)], [Math.min(first, last), Math.max(first, last)]);
        },
      }}
    >
      {paths.map((d, shade) => (
        <path key={shade} class={shade === 0 ? 'unknown' : `shade-${shade}`} d={d} />
      ))}
      {chosen !== undefined && (
        <rect
          class="cell"
          x={left(from) - 1}
          y={y(upper + 1)}
          width={left(to + 1) - left(from) + 1}
          height={y(low) - y(upper + 1) + 1}
        />
      )}
    </PlotFrame>
  );
}
