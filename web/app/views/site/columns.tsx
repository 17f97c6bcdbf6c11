import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** From these widths on there are two and three columns. */
const WIDTHS = ['60rem', '100rem'].map((width) => matchMedia(`(width >= ${width})`));

const countColumns = (): number => 1 + WIDTHS.filter(({ matches }) => matches).length;

/** Panels in columns, from left to right and then below: each is as high as what it shows, and follows the one above it. */
export function Columns({ children }: { children: readonly VNode[] }) {
  const [count, setCount] = useState(countColumns);
  useEffect(() => {
    const change = (): void => setCount(countColumns());
    for (const width of WIDTHS) width.addEventListener('change', change);
    return () => {
      for (const width of WIDTHS) width.removeEventListener('change', change);
    };
  }, []);
  return (
    <div class="panels">
      {Array.from({ length: count }, (_, column) => (
        <div key={column}>{children.filter((_child, index) => index % count === column)}</div>
      ))}
    </div>
  );
}
