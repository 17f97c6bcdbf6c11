/**
 * Pages that have replaced what the script uses, by something that throws, gives nothing, gives something else, or never answers. The page
 * stays whole: no error, no unhandled rejection, its own calls work as without the script, and `window.vendor` is there.
 */
import { expect, test } from 'vitest';
import { html } from './html.ts';
import { useVisits } from './visit.ts';

const visit = useVisits();

/** By the path from the window. Functions are replaced; of what ends with `*`, the getter. */
const TARGETS = [
  'fetch',
  'setTimeout',
  'URL',
  'Map',
  'Set',
  'Uint8Array',
  'crypto*',
  'crypto.getRandomValues',
  'localStorage*',
  'history.pushState',
  'history.replaceState',
  'navigator.sendBeacon',
  'Navigator.prototype.doNotTrack*',
  'Navigator.prototype.globalPrivacyControl*',
  'Navigator.prototype.onLine*',
  'Navigator.prototype.language*',
  'Screen.prototype.width*',
  'JSON.stringify',
  'JSON.parse',
  'Date.now',
  'Object.keys',
  'Object.values',
  'Object.hasOwn',
  'Reflect.get',
  'Math.random',
  'console.warn',
  'performance.now',
  'performance.getEntriesByType',
  'PerformanceObserver',
  'getComputedStyle',
  'navigation*',
  'Document.prototype.referrer*',
  'Document.prototype.hidden*',
  'Document.prototype.title*',
  'Document.prototype.hasFocus',
  'Document.prototype.querySelector',
  'Document.prototype.elementFromPoint',
  'Document.prototype.documentElement*',
  'EventTarget.prototype.addEventListener',
  'Event.prototype.composedPath',
  'Response.prototype.json',
] as const;
const FAULTS = ['throws', 'nothing', 'another type', 'never'] as const;

/** Runs in each page before the script: replaces one thing, and gathers what goes wrong. */
function sabotage(): void {
  const [target = '', fault = ''] = decodeURIComponent(location.hash.slice(1)).split('|');
  const errors: string[] = [];
  const listen = addEventListener.bind(window);
  const wait = setTimeout.bind(window);
  const parent = window.parent;
  const tell = parent.postMessage.bind(parent);
  const note = (text: string) => errors.push(text);
  addEventListener('error', ({ message }) => note(message));
  addEventListener('unhandledrejection', ({ reason }) => note(`unhandled: ${reason}`));
  const broken = () => {
    if (fault === 'throws') throw new Error('sabotage');
    if (fault === 'another type') return 'text';
    return fault === 'never' ? new Promise(() => {}) : undefined;
  };
  const names = target.replace('*', '').split('.');
  const last = names.pop() as string;
  const owner = names.reduce<object>((object, name) => Reflect.get(object, name), window);
  Object.defineProperty(
    owner,
    last,
    target.endsWith('*')
      ? { get: broken, configurable: true }
      : {
          value(...given: unknown[]) {
            return broken.apply(this, given as []);
          },
          configurable: true,
          writable: true,
        },
  );
  /** A call of the page's own: it may fail only as it fails without the script. */
  const own = (what: string, run: () => void) => {
    try {
      run();
    } catch (error) {
      if (!String(error).includes('sabotage')) note(`${what}: ${error}`);
    }
  };
  listen('load', () => {
    const vendor = window.vendor;
    own('track', () => vendor?.track('event', { n: 1 }));
    own('page', () => vendor?.page());
    own('push', () => history.pushState({}, '', '/elsewhere'));
    own('replace', () => history.replaceState({}, '', '/again'));
    own('consent', () => vendor?.consent('granted'));
    for (const type of ['focus', 'scroll', 'pagehide', 'pageshow', 'online', 'click'])
      window.dispatchEvent(new Event(type));
    own('consent', () => vendor?.consent('denied'));
    wait(() => tell({ target, fault, errors, calls: typeof vendor?.track }, '*'), 150);
  });
}

for (const [file, faults] of [
  ['tracker.js', FAULTS],
  // Its modules are the same.
  ['tracker-all.js', FAULTS.slice(0, 1)],
] as const)
  test(`${file}: whatever a page has replaced, nothing is thrown into it`, async () => {
    const { fixture, page, open } = await visit();
    fixture.pages['/page'] = html({
      attributes: 'data-outbound',
      before: `(${sabotage})()`,
      body: '<button data-vendor-event="x">x</button>',
    }).replace('tracker.js', file);
    fixture.pages['/'] = '<!doctype html><link rel="icon" href="data:,"><title>All</title>';
    await open();
    const cases = TARGETS.flatMap((target) => faults.map((fault) => [target, fault] as const));
    const reports = await page.evaluate(
      (all) =>
        new Promise<{ target: string; fault: string; errors: string[]; calls: string }[]>((resolve) => {
          const heard: { target: string; fault: string; errors: string[]; calls: string }[] = [];
          const next = all.values();
          const begin = () => {
            const { value, done } = next.next();
            if (done) return;
            const frame = document.createElement('iframe');
            frame.src = `/page#${encodeURIComponent(value.join('|'))}`;
            document.body.append(frame);
          };
          addEventListener('message', ({ data, source }) => {
            heard.push(data);
            for (const frame of document.querySelectorAll('iframe'))
              if (frame.contentWindow === source) frame.remove();
            if (heard.length === all.length) resolve(heard);
            else begin();
          });
          for (let count = 0; count < 12; count += 1) begin();
        }),
      cases,
    );
    expect(reports).toHaveLength(cases.length);
    expect(reports.filter(({ errors, calls }) => errors.length > 0 || calls !== 'function')).toEqual([]);
  });
