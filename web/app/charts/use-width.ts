import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in pixels, as it changes; `guess` until it is known. */
export function useWidth<Element extends HTMLElement>(guess: number) {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(guess);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    setWidth(current.clientWidth || guess);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth || guess));
    observer.observe(current);
    return () => observer.disconnect();
  }, [guess]);
  return { ref, width };
}
