import { flush } from './delivery.ts';
import { navigated, view } from './pages.ts';
import { clicked } from './parts.ts';
import { decide, start } from './policy.ts';
import { dataset, site } from './script.ts';
import { track } from './track.ts';

const waiting = window.vendor;

// A global that tracks without a queue is a tracker that runs already: loaded twice counts once.
if (site && (!waiting?.track || waiting.q)) {
  const vendor: Vendor = { consent: decide, track, page: view };
  window.vendor = vendor;
  if (!('manual' in dataset)) {
    view();
    for (const method of ['pushState', 'replaceState'] as const) {
      const original = history[method];
      history[method] = (...args) => {
        original.apply(history, args);
        navigated();
      };
    }
    addEventListener('popstate', navigated);
    addEventListener('pageshow', (event) => {
      if (event.persisted) view();
    });
  }
  waiting?.q?.forEach(([name, ...args]) => {
    (vendor[name] as (...given: unknown[]) => void)(...args);
  });
  for (const type of ['focus', 'blur', 'visibilitychange', 'pagehide'])
    addEventListener(type, () => {
      start();
      flush(type === 'pagehide');
    });
  for (const type of ['click', 'auxclick', 'submit']) addEventListener(type, clicked, true);
  start();
}
