/**
 * What consent alone allows to measure: engaged time (visible and in focus), the deepest scroll, and the web vitals of the
 * document. Without a page view that may be measured it reads nothing.
 */
import type { Moment, Part } from '../signals.ts';
import { observeVitals } from './vitals.ts';

export default ((signals, _settings, _track, enqueue, current) => {
  let view: ReturnType<typeof current>;
  let engaged = false;
  let since = 0;
  let spentMs = 0;
  let deepestPx = 0;
  let reportedDepth = 0;
  let endVitals: ReturnType<typeof observeVitals> | undefined;
  let ended = false;

  const restart = (next: typeof view): void => {
    // From one view to the next attention goes on; into consent it begins.
    if (!view || !next) engaged = false;
    view = next;
    spentMs = deepestPx = reportedDepth = 0;
  };

  const see = (moment?: Moment): void => {
    const next = moment !== null && current();
    if (next !== view) restart(next);
    if (!view) return;
    const { pageId, url } = view;
    const now = performance.now();
    if (engaged) spentMs += now - since;
    since = now;
    engaged = !document.hidden && document.hasFocus();
    deepestPx = Math.max(deepestPx, scrollY + innerHeight);
    // Later views have the one before them as their referrer.
    if (view.referrer === document.referrer) endVitals ??= observeVitals(current);
    if (moment === undefined) return;
    if (endVitals && !ended && (moment !== false || document.hidden)) {
      ended = true;
      enqueue({ type: 'vitals', pageId, url, ...endVitals() });
    }
    // Depth is of the document's height now, so that late content counts.
    const scrollDepth = Math.min((deepestPx / document.documentElement.scrollHeight) * 100 + 0.5, 100) | 0;
    const seconds = (spentMs / 1e3) | 0;
    if (seconds || scrollDepth > reportedDepth) {
      spentMs -= seconds * 1e3;
      reportedDepth = scrollDepth;
      enqueue({ type: 'engagement', pageId, seconds, scrollDepth });
    }
  };

  const { push } = signals;
  signals.push = (signal, path) => (path ? push.call(signals, signal, path) : see(signal as Moment));
  addEventListener('scroll', () => see());
  see();
}) satisfies Part;
