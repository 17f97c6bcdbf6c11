import { useEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in pixels, as it changes. It is a `guess`, and not known, until the page was laid out. */
export function useWidth<Element extends HTMLElement>(guess: number) {
  const ref = useRef<Element>(null);
  const [known, setWidth] = useState<number | undefined>();
  useEffect(() => {
    const { current } = ref;
    if (current === null) return;
    // The observer reports it before the next painting. To read the width here would lay out the page once more.
    const observer = new ResizeObserver(() => setWidth(current.clientWidth || guess));
    observer.observe(current);
    return () => observer.disconnect();
  }, [guess]);
  return { ref, width: known ?? guess, isKnown: known !== undefined };
}
