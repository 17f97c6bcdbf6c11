import type { ReportMeta } from '../../api/operations.generated.ts';
import { exact, percent } from '../../format.ts';
import { words } from '../../words/index.ts';

interface ShownChangeProps {
  /** The change in percent. */
  by: number;
  /** Whether less is better. */
  lessIsBetter?: boolean | undefined;
  /** What stands instead of its size. */
  text?: string;
  title?: string | undefined;
}

/** Below half a percent a change reads 0 %, which is neither up nor down. */
const isSeen = (by: number): boolean => Math.abs(by) >= 0.5;

/** A change with an arrow, since not everybody tells the colours apart. */
export const ShownChange = ({
  by,
  text = percent(Math.abs(by), 0),
  title,
  lessIsBetter = false,
}: ShownChangeProps) => (
  <span class={!isSeen(by) ? 'soft' : by > 0 === lessIsBetter ? 'worse' : 'better'} title={title}>
    {!isSeen(by) ? '' : by > 0 ? '↑ ' : '↓ '}
    {text}
  </span>
);

/** The range that is compared with, if it was observed from its start. Against nothing or a part there is no change to show. */
export const observedIn = ({
  comparison,
  coverage: { since },
}: Pick<ReportMeta, 'comparison' | 'coverage'>): ReportMeta['comparison'] =>
  comparison?.observed && since !== null && since <= comparison.from ? comparison : undefined;

interface ChangeProps {
  now: number;
  /** The same figure of the other range. Null: not known. */
  before: number | null | undefined;
  lessIsBetter?: boolean;
}

/** How much a figure differs from that of the range it is compared with. */
export function Change({ now, before, lessIsBetter }: ChangeProps) {
  const texts = words.compare;
  if (before == null)
    return (
      <span class="soft" title={texts.unknown}>
        –
      </span>
    );
  const title = texts.before(exact(before));
  // There is no share of nothing.
  if (before === 0 && now > 0)
    return <ShownChange by={1} text={texts.isNew} title={title} lessIsBetter={lessIsBetter} />;
  const by = before === 0 ? 0 : (100 * (now - before)) / before;
  return <ShownChange by={by} title={title} lessIsBetter={lessIsBetter} />;
}

interface ComparedProps extends ChangeProps {
  show?: (value: number) => string;
}

/** A figure, and below it how it differs from that of the other range. Before it null: not known; undefined: not compared. */
export const Compared = ({ now, before, lessIsBetter = false, show = exact }: ComparedProps) => (
  <>
    {show(now)}
    {before !== undefined && (
      <small>
        <Change {...{ now, before, lessIsBetter }} />
      </small>
    )}
  </>
);
