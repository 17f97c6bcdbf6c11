import type { ReportMeta } from '../../api/operations.generated.ts';
import { change, exact } from '../../format.ts';
import { words } from '../../words/index.ts';

interface ShownChangeProps {
  /** The sign of the change. */
  by: number;
  text: string;
  title?: string | undefined;
}

/** A change with an arrow, since not everybody tells the colours apart. */
export const ShownChange = ({ by, text, title }: ShownChangeProps) => (
  <span class={by > 0 ? 'up' : by < 0 ? 'down' : 'soft'} title={title}>
    {by > 0 ? '↑ ' : by < 0 ? '↓ ' : ''}
    {text}
  </span>
);

/** The range that is compared with, if something was observed in it. Against nothing there is no change to show. */
export const observedIn = ({ comparison }: Pick<ReportMeta, 'comparison'>): ReportMeta['comparison'] =>
  comparison?.observed ? comparison : undefined;

interface ChangeProps {
  now: number;
  /** The same figure of the other range. Null: not known. */
  before: number | null | undefined;
}

/** How much a figure differs from that of the range it is compared with. */
export function Change({ now, before }: ChangeProps) {
  const told = words.compare;
  if (before == null)
    return (
      <span class="soft" title={told.unknown}>
        –
      </span>
    );
  const title = told.before(exact(before));
  // There is no share of nothing.
  if (before === 0 && now > 0) return <ShownChange by={1} text={told.isNew} title={title} />;
  const by = before === 0 ? 0 : (100 * (now - before)) / before;
  return <ShownChange by={by} text={change(by)} title={title} />;
}
