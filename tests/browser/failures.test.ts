/**
 * The script in a page where anything may fail: storage, requests, clocks and timers, at any call. It runs without a browser, with a clock
 * that the test moves.
 */
import vm from 'node:vm';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { bundleTracker } from '../../packages/tracker/bundle-tracker.ts';

const MINUTE_MS = 60_000;
let source = '';
beforeAll(async () => {
  ({ source } = await bundleTracker('core'));
});

/** What a call of the page's surroundings does: as it should, throw, or give nothing. */
type Fault = 'none' | 'throws' | 'nothing';
type Answer = 'accepts' | 'refuses' | 'breaks' | 'hangs' | 'rubbish' | 'unrelated' | 'empty';

interface Faults {
  storage: Fault;
  /** Storage takes everything and keeps nothing. */
  forgetful: boolean;
  clock: Fault;
  crypto: Fault;
  answers: Answer[];
  tier: number;
}

type Action =
  | { kind: 'track' | 'page' | 'granted' | 'denied' | 'blur' | 'pagehide' | 'online' }
  | { kind: 'wait'; ms: number };

interface Sent {
  failed: boolean;
  /** Since the last failure that the script knew of. */
  waitedMs: number;
}

const failing = <Result>(fault: Fault, work: () => Result): Result | undefined => {
  if (fault === 'throws') throw new Error('broken');
  return fault === 'nothing' ? undefined : work();
};

/** A page of which the test moves the clock. */
function openPage(faults: Faults) {
  let now = 0;
  let calls = 0;
  let failedAt = -Infinity;
  const timers: { at: number; run: () => void }[] = [];
  const listeners = new Map<string, ((event: object) => void)[]>();
  const requests: Sent[] = [];
  const stored: Record<string, string> = {};
  const localStorage = new Proxy(stored, {
    get: (_, key) => failing(faults.storage, () => Reflect.get(stored, key)),
    set: (_, key, value) => {
      // Readable, without room.
      if (faults.storage !== 'none') throw new Error('QuotaExceededError');
      if (!faults.forgetful) Reflect.set(stored, key, String(value));
      return true;
    },
    deleteProperty: (_, key) => Reflect.deleteProperty(stored, key),
  });
  const fetch = async (url: URL | string, init: RequestInit = {}) => {
    if (!String(url).includes('/api/')) throw new Error('no part');
    const answer = faults.answers[calls++ % faults.answers.length];
    requests.push({ failed: answer !== 'accepts', waitedMs: now - failedAt });
    await undefined;
    if (answer !== 'accepts' && answer !== 'hangs') failedAt = now;
    if (answer === 'breaks') throw new TypeError('Failed to fetch');
    if (answer === 'hangs') return new Promise(() => {});
    if (answer === 'empty') return undefined;
    // Of another service, such as the sign-in page of a network.
    if (answer === 'unrelated') return { ok: true, status: 200, json: async () => ({}) };
    if (answer === 'rubbish') return { ok: true, status: 200, json: async () => 'rubbish' };
    const policy = { maxTier: faults.tier };
    return answer === 'accepts'
      ? { ok: true, status: 202, json: async () => (init.body ? { policy } : policy) }
      : { ok: false, status: 503, json: async () => ({}) };
  };
  class Document {
    currentScript = { src: 'https://v.example/tracker.js', dataset: { site: 'x' } };
  }
  const prototype = Document.prototype as unknown as Record<string, unknown>;
  const document = Object.create(Document.prototype);
  Object.assign(prototype, {
    currentScript: new Document().currentScript,
    referrer: '',
    hidden: false,
    title: 'Page',
    querySelector: () => null,
    addEventListener: (type: string, hear: (event: object) => void) =>
      listeners.set(type, [...(listeners.get(type) ?? []), hear]),
  });
  const page = {
    document,
    Document,
    localStorage,
    fetch,
    URL,
    screen: { width: 1, height: 1 },
    navigator: { language: 'en' },
    location: new URL('https://example.com/'),
    history: { pushState: () => undefined, replaceState: () => undefined },
    crypto: {
      getRandomValues: (bytes: Uint8Array<ArrayBuffer>) =>
        failing(faults.crypto, () => crypto.getRandomValues(bytes)),
    },
    Date: { now: () => failing(faults.clock, () => now) },
    performance: { now: () => failing(faults.clock, () => now) },
    setTimeout: (run: () => void, ms = 0) => timers.push({ at: now + ms, run }),
    console: { warn: () => undefined },
    vendor: undefined as Vendor | undefined,
  };
  const global = vm.createContext({ ...page, self: undefined }) as typeof page & { self: unknown };
  global.self = global;
  Reflect.deleteProperty(global, 'vendor');
  vm.runInContext(source, global);

  /** Runs what is due, each with all that follows from it. Fails where that never ends. */
  const moveTo = async (end: number): Promise<void> => {
    for (let steps = 0; ; steps += 1) {
      await new Promise(setImmediate);
      const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      expect(steps).toBeLessThan(2_000);
      timers.splice(timers.indexOf(next), 1);
      now = Math.max(now, next.at);
      next.run();
    }
    now = end;
  };
  const act = async (action: Action): Promise<void> => {
    if (action.kind === 'wait') return moveTo(now + action.ms);
    if (action.kind === 'track') global.vendor?.track('event');
    else if (action.kind === 'page') global.vendor?.page();
    else if (action.kind === 'granted' || action.kind === 'denied') global.vendor?.consent(action.kind);
    else for (const hear of listeners.get(action.kind) ?? []) hear({ type: action.kind });
    await moveTo(now);
  };
  return { act, moveTo, requests, now: () => now };
}

const fault = fc.constantFrom<Fault>('none', 'throws', 'nothing');
const faultsOf = (answers: fc.Arbitrary<Answer[]>) =>
  fc.record({
    storage: fault,
    forgetful: fc.boolean(),
    clock: fault,
    crypto: fault,
    answers,
    tier: fc.integer({ min: 0, max: 4 }),
  });
const actions = fc.array(
  fc.oneof(
    fc
      .constantFrom('track', 'page', 'granted', 'denied', 'blur', 'pagehide', 'online')
      .map((kind) => ({ kind }) as Action),
    fc.integer({ min: 0, max: 2 * MINUTE_MS }).map((ms): Action => ({ kind: 'wait', ms })),
  ),
  { maxLength: 40 },
);

test('after a failure nothing is sent for a minute, whatever happens on the page', async () => {
  const always = fc
    .constantFrom<Answer>('refuses', 'breaks', 'hangs', 'rubbish', 'unrelated', 'empty')
    .map((answer) => [answer]);
  await fc.assert(
    fc.asyncProperty(faultsOf(always), actions, async (faults, steps) => {
      const page = openPage(faults);
      for (const step of steps) await page.act(step);
      await page.moveTo(page.now() + 10 * MINUTE_MS);
      for (const { waitedMs } of page.requests) expect(waitedMs).toBeGreaterThanOrEqual(MINUTE_MS);
    }),
    { numRuns: 300 },
  );
});

test('whatever fails, what is sent is bounded by what the page did, and an idle page falls silent', async () => {
  const some = fc.array(
    fc.constantFrom<Answer>('accepts', 'accepts', 'refuses', 'breaks', 'hangs', 'rubbish', 'unrelated'),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  await fc.assert(
    fc.asyncProperty(faultsOf(some), actions, async (faults, steps) => {
      const page = openPage(faults);
      for (const step of steps) await page.act(step);
      const good = page.requests.filter(({ failed }) => !failed);
      // The first view, one event or page view an action, and at each consent a word that a visit goes on, and the policy.
      expect(good.length).toBeLessThanOrEqual(3 * (steps.length + 2));
      await page.moveTo(page.now() + 200 * MINUTE_MS);
      const before = page.requests.length;
      await page.moveTo(page.now() + 200 * MINUTE_MS);
      expect(page.requests.length - before).toBeLessThanOrEqual(10);
    }),
    { numRuns: 300 },
  );
});
