import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond the visible ones that are drawn, so that scrolling shows no gap. */
const BEYOND = 12;

interface FixedRows {
  count: number;
  /** Of a row, in pixels. */
  height: number;
  /** Pixels at the top of the scrolled element that cover rows. */
  covered?: number;
}

/** Which of many rows of one height must be drawn in a scrolled element. */
export function useFixedRows({ count, height, covered = 0 }: FixedRows) {
  const ref = useRef<HTMLDivElement>(null);
  const [{ first, last }, setRange] = useState({ first: 0, last: 60 });

  const measure = useCallback((): void => {
    const { current } = ref;
    if (current === null) return;
    const from = Math.max(0, Math.floor(current.scrollTop / height) - BEYOND);
    const to = Math.ceil((current.scrollTop + current.clientHeight) / height) + BEYOND;
    setRange((known) => (known.first === from && known.last === to ? known : { first: from, last: to }));
  }, [height]);

  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    current.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', measure);
    };
  }, [measure]);

  /** Scrolls as little as needed to show a row. */
  const reveal = useCallback(
    (index: number): void => {
      const { current } = ref;
      if (current === null) return;
      const above = index * height;
      const below = above + height + covered - current.clientHeight;
      if (current.scrollTop > above) current.scrollTop = above;
      else if (current.scrollTop < below) current.scrollTop = below;
      measure();
    },
    [height, covered, measure],
  );
  /** How many rows fit. */
  const page = (): number => Math.max(1, Math.floor((ref.current?.clientHeight ?? height) / height) - 2);
  return { ref, first: Math.min(first, count), last: Math.min(last, count), reveal, page };
}
