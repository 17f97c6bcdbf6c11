import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Trace } from '../../api/operations.generated.ts';
import { exact, milliseconds } from '../../format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useFixedRows } from '../../parts/use-fixed-rows.ts';
import { isShortcut } from '../../state/own-preferences.ts';
import { backendWords } from '../../words/backend.ts';
import { findSpans } from './find-spans.ts';
import { Minimap, type Zoom, zoomOf } from './minimap.tsx';
import { type AnySpan, above, type Below, countBelow, isError, shownSpans } from './span-tree.ts';

const ROW = 28;
/** Deeper spans are indented like these. */
const MOST_INDENTED = 20;
const SERIES = 5;
const RULER_PARTS = [0, 0.25, 0.5, 0.75] as const;
/** A bar that ends later has its duration in front of it, or within it if it begins early. */
const LABEL_BEFORE = 70;
const LABEL_ROOM = 16;

interface WaterfallProps {
  trace: Trace;
  /** Index of the chosen span. */
  chosen: number | undefined;
  choose: (index: number) => void;
  /** Whether what stands above has come. It moves the tree. */
  isSettled: boolean;
  /** The part of the time that is shown; undefined: the whole. */
  zoom: Zoom | undefined;
  onZoom: (zoom: Zoom | undefined) => void;
}

/** The spans of a trace as a tree beside their time. Only the rows in view are drawn. */
export function Waterfall({ trace, chosen, choose, isSettled, zoom, onZoom }: WaterfallProps) {
  const { spans, services, durationMs } = trace;
  const [searched, setSearched] = useState('');
  const found = useMemo(() => findSpans(spans, searched), [spans, searched]);
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const below = useMemo(() => countBelow(spans), [spans]);
  const shown = useMemo(() => shownSpans(below, closed), [below, closed]);
  const { ref, first, last, reveal, page } = useFixedRows({
    count: shown.length,
    height: ROW,
    covered: ROW,
  });
  const whole = durationMs || 1;
  const part = zoom ?? { from: 0, to: whole };
  const ofChosen = chosen === undefined ? undefined : spans[chosen];
  const texts = backendWords.trace;
  const at = chosen === undefined ? -1 : shown.indexOf(chosen);

  // A span that is chosen elsewhere is opened, and seen.
  useEffect(() => {
    if (chosen === undefined) return;
    const hidden = above(spans, chosen).filter((index) => closed.has(index));
    if (hidden.length > 0) setClosed(new Set([...closed].filter((index) => !hidden.includes(index))));
  }, [chosen]);
  useEffect(() => {
    if (at < 0) return;
    reveal(at);
    // Its row may be drawn only now.
    const frame = requestAnimationFrame(() =>
      document.getElementById(`span-${chosen}`)?.scrollIntoView({ block: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [at, reveal, isSettled]);

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
  /** Those in closed parts count too: choosing one opens them. Returns whether there is one. */
  const stepTo = (by: 1 | -1, isWanted: (index: number) => boolean, start = chosen ?? -1): boolean => {
    for (let index = start + by; index >= 0 && index < spans.length; index += by) {
      if (!isWanted(index)) continue;
      choose(index);
      return true;
    }
    return false;
  };
  const stepToError = (by: 1 | -1): boolean => stepTo(by, (index) => isError(spans[index]));
  /** After the last one comes the first again. */
  const stepToFound = (by: 1 | -1): void => {
    const isFound = (index: number): boolean => found.has(index);
    if (!stepTo(by, isFound)) stepTo(by, isFound, by === 1 ? -1 : spans.length);
  };
  const toggleZoom = (): void => {
    if (zoom !== undefined) onZoom(undefined);
    else if (ofChosen !== undefined) onZoom(zoomOf(ofChosen, whole));
  };
  const press = (event: KeyboardEvent): void => {
    if (!isShortcut(event)) return;
    const act = {
      ...{ j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1) },
      ...{ s: () => step(page()), PageDown: () => step(page()), w: () => step(-page()) },
      ...{ PageUp: () => step(-page()), Home: () => step(-spans.length), End: () => step(spans.length) },
      ...{ f: () => stepToError(1), b: () => stepToError(-1), z: toggleZoom },
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
          {texts.collapse}
        </button>
        <button type="button" class="button plain" onClick={() => setClosed(new Set())}>
          {texts.expand}
        </button>
        <button
          type="button"
          class="button plain"
          disabled={zoom === undefined && ofChosen === undefined}
          onClick={toggleZoom}
        >
          {zoom === undefined ? texts.zoom : texts.whole}
        </button>
        <input
          type="search"
          class="input"
          aria-label={texts.find}
          placeholder={texts.find}
          value={searched}
          onInput={({ currentTarget }) => setSearched(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && stepToFound(event.shiftKey ? -1 : 1)}
        />
        <span class="soft" role="status">
          {searched.trim() !== '' && texts.found(found.size, exact(found.size))}
        </span>
        <span class="soft keys">{texts.keys}</span>
      </div>
      <Minimap {...{ spans, whole, zoom, onZoom }} seriesOf={(span) => seriesOf(span, services)} />
      <div
        ref={ref}
        class="fixed-rows"
        role="tree"
        tabIndex={0}
        aria-label={texts.tree}
        aria-activedescendant={at >= first && at < last ? `span-${chosen}` : undefined}
        onKeyDown={press}
      >
        <div class="ruler" aria-hidden="true">
          <span />
          <span class="marks">
            {RULER_PARTS.map((share) => (
              <span key={share} style={{ left: `${100 * share}%` }}>
                {milliseconds(part.from + (part.to - part.from) * share)}
              </span>
            ))}
          </span>
        </div>
        <div class="all" role="presentation" style={{ height: `${shown.length * ROW}px` }}>
          {shown.slice(first, last).map((index, row) => (
            <SpanRow
              key={index}
              {...{ index, below: below[index], span: spans[index], part }}
              top={(first + row) * ROW}
              series={seriesOf(spans[index], services)}
              isClosed={closed.has(index)}
              isChosen={index === chosen}
              isFound={found.has(index)}
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
  /** The part of the time that is shown. */
  part: Zoom;
  top: number;
  series: number;
  isClosed: boolean;
  isChosen: boolean;
  isFound: boolean;
  choose: (index: number) => void;
  close: (index: number, isClosed: boolean) => void;
}

function SpanRow(props: SpanRowProps) {
  const { index, span, below, part, top, series, isClosed, isChosen, isFound, choose, close } = props;
  if (span === undefined || below === undefined) return null;
  const texts = backendWords.trace;
  const hasBelow = below.spans > 0;
  const name = span.missing ? texts.missing : `${span.service} ${span.name}`;
  const took = milliseconds(span.durationMs);
  const hidden = isClosed ? `+${exact(below.spans)}` : '';
  const shareOf = (ms: number): number =>
    Math.min(100, Math.max(0, (100 * (ms - part.from)) / (part.to - part.from)));
  const end = span.offsetMs + span.durationMs;
  const begins = shareOf(span.offsetMs);
  const ends = shareOf(end);
  const isInside = ends > LABEL_BEFORE && begins < LABEL_ROOM;
  const position =
    ends <= LABEL_BEFORE
      ? { left: `${ends}%` }
      : isInside
        ? { left: `${begins}%` }
        : { right: `${100 - begins}%` };
  const isBefore = end < part.from;
  const isAfter = span.offsetMs > part.to;
  const errors = below.errors > 0 ? texts.errorsBelow(below.errors, exact(below.errors)) : '';
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
      class={`span-row series-${series}${isError(span) ? ' error' : ''}${span.missing ? ' missing' : ''}${isFound ? ' found' : ''}`}
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
          <em>{texts.missing}</em>
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
      <span class="position">
        {!isBefore && !isAfter && (
          <span class="bar" style={{ left: `${begins}%`, width: `${ends - begins}%` }}>
            {span.criticalMs !== null && span.criticalMs > 0 && (
              <span class="critical" title={texts.critical} />
            )}
          </span>
        )}
        <span class={isInside ? 'took inside' : 'took'} style={position}>
          {isBefore && '‹ '}
          {took}
          {isAfter && ' ›'}
        </span>
      </span>
    </div>
  );
}
