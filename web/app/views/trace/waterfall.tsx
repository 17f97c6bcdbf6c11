import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Trace } from '../../api/operations.generated.ts';
import { exact, milliseconds } from '../../format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useFixedRows } from '../../parts/use-fixed-rows.ts';
import { isShortcut } from '../../state/own-preferences.ts';
import { backendWords } from '../../words/backend.ts';
import { type AnySpan, above, type Below, countBelow, isError, shownSpans } from './span-tree.ts';

const ROW = 28;
/** Deeper spans are indented like these. */
const MOST_INDENTED = 20;
const SERIES = 5;
const RULER_PARTS = [0, 0.25, 0.5, 0.75] as const;
/** A bar that ends later has its duration in front of it. */
const LABEL_BEFORE = 70;

interface WaterfallProps {
  trace: Trace;
  /** Index of the chosen span. */
  chosen: number | undefined;
  choose: (index: number) => void;
}

/** The spans of a trace as a tree beside their time. Only the rows in view are drawn. */
export function Waterfall({ trace: { spans, services, durationMs }, chosen, choose }: WaterfallProps) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const below = useMemo(() => countBelow(spans), [spans]);
  const shown = useMemo(() => shownSpans(below, closed), [below, closed]);
  const { ref, first, last, reveal, page } = useFixedRows({
    count: shown.length,
    height: ROW,
    covered: ROW,
  });
  const whole = durationMs || 1;
  const told = backendWords.trace;
  const at = chosen === undefined ? -1 : shown.indexOf(chosen);

  // A span that is chosen elsewhere is opened, and seen.
  useEffect(() => {
    if (chosen === undefined) return;
    const hidden = above(spans, chosen).filter((index) => closed.has(index));
    if (hidden.length > 0) setClosed(new Set([...closed].filter((index) => !hidden.includes(index))));
  }, [chosen]);
  useEffect(() => {
    if (at >= 0) reveal(at);
  }, [at, reveal]);

  const close = (index: number, isClosed: boolean): void => {
    const next = new Set(closed);
    if (isClosed) next.add(index);
    else next.delete(index);
    setClosed(next);
    // What is chosen stays in view.
    if (isClosed && chosen !== undefined && above(spans, chosen).includes(index)) choose(index);
  };
  const step = (by: number): void => {
    const to = shown[at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (to !== undefined) choose(to);
  };
  /** Errors in closed parts count too: choosing one opens them. */
  const stepToError = (by: 1 | -1): void => {
    for (let index = (chosen ?? -1) + by; index >= 0 && index < spans.length; index += by) {
      if (!isError(spans[index])) continue;
      choose(index);
      return;
    }
  };
  const press = (event: KeyboardEvent): void => {
    if (!isShortcut(event)) return;
    const act = {
      ...{ j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1) },
      ...{ s: () => step(page()), PageDown: () => step(page()), w: () => step(-page()) },
      ...{ PageUp: () => step(-page()), Home: () => step(-spans.length), End: () => step(spans.length) },
      ...{ f: () => stepToError(1), b: () => stepToError(-1) },
      ArrowLeft: () => {
        const parent = chosen === undefined ? null : spans[chosen]?.parent;
        if (chosen !== undefined && !closed.has(chosen) && below[chosen]?.spans) close(chosen, true);
        else if (parent != null) choose(parent);
      },
      ArrowRight: () => {
        if (chosen !== undefined && closed.has(chosen)) close(chosen, false);
        else step(1);
      },
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  return (
    <div class="waterfall">
      <div class="tools">
        <button
          type="button"
          class="button plain"
          onClick={() =>
            setClosed(new Set(below.flatMap(({ spans: count }, index) => (count > 0 ? [index] : []))))
          }
        >
          {told.collapse}
        </button>
        <button type="button" class="button plain" onClick={() => setClosed(new Set())}>
          {told.expand}
        </button>
        <span class="soft keys">{told.keys}</span>
      </div>
      <div
        ref={ref}
        class="fixed-rows"
        role="tree"
        tabIndex={0}
        aria-label={told.tree}
        aria-activedescendant={at >= first && at < last ? `span-${chosen}` : undefined}
        onKeyDown={press}
      >
        <div class="ruler" aria-hidden="true">
          <span />
          <span class="marks">
            {RULER_PARTS.map((part) => (
              <span key={part} style={{ left: `${100 * part}%` }}>
                {milliseconds(whole * part)}
              </span>
            ))}
          </span>
        </div>
        <div class="all" role="presentation" style={{ height: `${shown.length * ROW}px` }}>
          {shown.slice(first, last).map((index, row) => (
            <SpanRow
              key={index}
              {...{ index, below: below[index], span: spans[index], whole }}
              top={(first + row) * ROW}
              series={seriesOf(spans[index], services)}
              isClosed={closed.has(index)}
              isChosen={index === chosen}
              choose={choose}
              close={close}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** Services beyond the fifth share colours; each row has its service's name too. */
const seriesOf = (span: AnySpan | undefined, services: readonly string[]): number =>
  span === undefined || span.missing ? 0 : (services.indexOf(span.service) % SERIES) + 1;

interface SpanRowProps {
  index: number;
  span: AnySpan | undefined;
  below: Below | undefined;
  /** Milliseconds of the whole trace. */
  whole: number;
  top: number;
  series: number;
  isClosed: boolean;
  isChosen: boolean;
  choose: (index: number) => void;
  close: (index: number, isClosed: boolean) => void;
}

function SpanRow(props: SpanRowProps) {
  const { index, span, below, whole, top, series, isClosed, isChosen, choose, close } = props;
  if (span === undefined || below === undefined) return null;
  const told = backendWords.trace;
  const hasBelow = below.spans > 0;
  const name = span.missing ? told.missing : `${span.service} ${span.name}`;
  const took = milliseconds(span.durationMs);
  const hidden = isClosed ? `+${exact(below.spans)}` : '';
  const begins = (100 * span.offsetMs) / whole;
  const lasts = (100 * span.durationMs) / whole;
  const errors = below.errors > 0 ? told.errorsBelow(below.errors, exact(below.errors)) : '';
  const status = isError(span) ? backendWords.statuses.error : '';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it has the keys
    <div
      id={`span-${index}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={span.depth + 1}
      aria-selected={isChosen}
      aria-expanded={hasBelow ? !isClosed : undefined}
      aria-label={[name, hidden, took, status, errors].filter(Boolean).join(', ')}
      class={`span-row series-${series}${isError(span) ? ' error' : ''}${span.missing ? ' missing' : ''}`}
      style={{ top: `${top}px` }}
      onClick={() => choose(index)}
    >
      <span class="name" style={{ paddingInlineStart: `${0.75 * Math.min(span.depth, MOST_INDENTED)}rem` }}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
        <span
          class={hasBelow ? (isClosed ? 'twist closed' : 'twist') : 'twist none'}
          onClick={(event) => {
            if (!hasBelow) return;
            event.stopPropagation();
            close(index, !isClosed);
          }}
        >
          {hasBelow && <Icon name="down" />}
        </span>
        <span class="swatch" />
        {span.missing ? (
          <em>{told.missing}</em>
        ) : (
          <span class="text">
            <span class="soft">{span.service}</span> {span.name}
          </span>
        )}
        {hidden !== '' && <span class="count soft">{hidden}</span>}
        {(isError(span) || below.errors > 0) && (
          <span class={isError(span) ? 'mark own' : 'mark'} title={status || errors}>
            !
          </span>
        )}
      </span>{' '}
      <span class="place">
        <span class="bar" style={{ left: `${begins}%`, width: `${lasts}%` }}>
          {span.criticalMs !== null && span.criticalMs > 0 && <span class="critical" title={told.critical} />}
        </span>
        <span
          class="took"
          style={
            begins + lasts > LABEL_BEFORE
              ? { right: `${Math.max(0, 100 - begins)}%` }
              : { left: `${begins + lasts}%` }
          }
        >
          {took}
        </span>
      </span>
    </div>
  );
}
