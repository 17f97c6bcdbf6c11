import { useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import type { Asked } from '../../state/site-query.ts';

const EVERY_MS = 60_000;
const AGAIN_MS = 1000;
/** What may change its position. */
const MOVING = 'main :is(.row, tr, .chart):hover';

/** Nothing moves under the pointer, and nothing is asked for what nobody sees. */
const mayMove = (): boolean =>
  !document.hidden &&
  document.querySelector(MOVING) === null &&
  document.querySelector('dialog[open]') === null;

/** Reads the reports of a page again each minute, all in one request, while somebody looks. `isOver`: what is asked for changes no more. */
export function useRefresh(asked: Asked, isOver: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (isOver) return;
    let last = Date.now();
    const timer = setInterval(() => {
      if (Date.now() - last < EVERY_MS || !mayMove()) return;
      last = Date.now();
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(asked) });
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [queries, asked, isOver]);
}
