import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Scrolls } from '../parts/scrolls.tsx';
import { words } from '../words/index.ts';

interface NumbersTableProps {
  /** The heads of the columns with times, then of those with numbers. */
  times: readonly string[];
  names: readonly string[];
  rows: () => readonly { key: string; times: readonly ComponentChildren[]; numbers: readonly string[] }[];
  /** What is said below the numbers. */
  note?: string;
}

/** The numbers of a chart as a table. */
export const NumbersTable = ({ times, names, rows, note }: NumbersTableProps) => (
  <>
    <Scrolls label={words.chart.table}>
      <table class="list-table">
        <thead>
          <tr>
            {times.map((name) => (
              <th key={name}>{name}</th>
            ))}
            {names.map((name) => (
              <th key={name} class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows().map((row) => (
            <tr key={row.key}>
              {row.times.map((time, index) => (
                <td key={index}>{time}</td>
              ))}
              {row.numbers.map((number, index) => (
                <td key={index} class="number">
                  {number}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
    {note !== undefined && <p class="soft small">{note}</p>}
  </>
);

/** The same, closed at first, and made when it is opened. */
export function NumbersDetails(props: NumbersTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="soft">{words.chart.table}</summary>
      {isOpen && <NumbersTable {...props} />}
    </details>
  );
}
