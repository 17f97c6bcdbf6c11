/**
 * Which traces of the backend the page's own requests belong to (docs/tracker-protocol.md#associations). `fetch` and `XMLHttpRequest` are
 * watched with consent only; without it, and for every other origin, calls go through untouched. Calls, answers and errors are the page's:
 * whatever can't be read without an effect on them isn't read.
 */
import { enqueue, measurable } from '../delivery.ts';
import { own } from '../own.ts';
import { dataset } from '../script-tag.ts';
import type { Association, PageView } from '../wire.ts';

const MAX_OF_A_VIEW = 50;
/** Trace ids that are remembered, so that each is sent once. */
const MAX_REMEMBERED = 1000;

/** Version 0 of W3C's trace context, sampled. */
const SAMPLED = /^00-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f][13579bdf]$/;
/** The metrics of `Server-Timing`; a quoted text may have commas. */
const METRICS = /(?:"(?:\\.|[^"\\])*"|[^",])+/g;

const originOf = (address: string | URL, base: string = own('baseURI')): string | undefined => {
  try {
    return new URL(address, base).origin;
  } catch {
    return undefined;
  }
};

/** Relative to nothing: a word isn't an address. */
const originsOf = (list = ''): unknown[] =>
  (list.match(/[^\s,]+/g) ?? []).flatMap((text) => originOf(text, 'data:,') ?? []);

/** Of `data-origins`: whose answers are believed. */
let listed: unknown[];
/** Of `data-propagate`: who allows the header `traceparent`. */
let allowing: unknown[];

/** The trace that a response names; of several the last, which the outermost server added. */
const readTiming = (header: string | null | undefined): string | undefined =>
  header
    ?.match(METRICS)
    ?.flatMap(
      (metric) => SAMPLED.exec(/^\s*traceparent;desc=("?)([^"]+)\1\s*$/.exec(metric)?.[2] ?? '')?.[1] ?? [],
    )
    .at(-1);

const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    (byte + 256).toString(16).slice(1),
  ).join('');

/** What is known of a request before it is answered. */
interface Call {
  view?: PageView | false | undefined;
  origin?: string | undefined;
  /** Of a `traceparent` that the request carries. */
  traceId?: string | undefined;
}

interface Outcome {
  url: string;
  status: number;
  timing: string | null | undefined;
}

const counts = new WeakMap<PageView, number>();
const remembered = new Set<string>();

const report = ({ view, origin, traceId }: Call, { url, status, timing }: Outcome): void => {
  const answering = originOf(url);
  const read = listed.includes(answering) && readTiming(timing);
  const trace = read || traceId;
  // Consent may have been withdrawn since the call.
  if (!view || !measurable() || !trace || remembered.has(trace)) return;
  const count = counts.get(view) ?? 0;
  if (count >= MAX_OF_A_VIEW) return;
  counts.set(view, count + 1);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.add(trace);
  const event: Association = {
    type: 'association',
    traceId: trace,
    origin: (read ? answering : origin) as string,
    // Of a redirect that isn't followed the page learns no status; of another origin's answer it says nothing.
    status: ((read || answering === origin) && status) || undefined,
    sent: !read || undefined,
  };
  enqueue(event);
  // The page of the call, where meanwhile there is another one.
  event.pageId = view.id;
};

const newContext = (call: Call): string =>
  '00-' + (call.traceId = randomHex(16)) + '-' + randomHex(8) + '-01';

/** An object whose properties may be read again: of no class of its own, and without getters. */
const isPlain = (given: object): boolean =>
  [Object.prototype, null].includes(Reflect.getPrototypeOf(given)) &&
  Object.values(Object.getOwnPropertyDescriptors(given)).every((property) => 'value' in property);

/** Headers that may be read again, unlike a generator. */
const isReadable = (given: unknown): boolean =>
  given instanceof Headers ||
  (Array.isArray(given) ? given.every(Array.isArray) : typeof given === 'object' && isPlain(given as object));

/** Notes what a call of `fetch` sends. Returns its arguments, with a `traceparent` where that can't break the call. */
const prepare = (args: unknown[], call: Call): unknown[] => {
  const [input, init = {}, ...more] = args as [unknown, RequestInit?, ...unknown[]];
  const request = input instanceof Request ? input : undefined;
  if (!isPlain(init) || !(request || typeof input === 'string' || input instanceof URL)) return args;
  const option = <Name extends 'headers' | 'mode' | 'redirect'>(name: Name) =>
    init[name] === undefined ? request?.[name] : init[name];
  const given = option('headers') ?? {};
  const origin = originOf(request ? request.url : (input as string));
  // Without CORS browsers drop the header. Null is an error, which the page is to get.
  if (
    !listed.includes(origin) ||
    option('mode') === 'no-cors' ||
    Object.is(init.headers, null) ||
    !isReadable(given)
  )
    return args;
  call.origin = origin;
  const headers = new Headers(given);
  const context = headers.get('traceparent');
  if (context !== null) call.traceId = SAMPLED.exec(context)?.[1];
  else if (
    allowing.includes(origin) ||
    // A redirect to an origin that doesn't allow the header would fail: none may be followed.
    (origin === self.origin && /error|manual/.test(option('redirect') as string))
  ) {
    headers.set('traceparent', newContext(call));
    // With a second argument a request would lose its referrer.
    const { referrer, referrerPolicy } = request ?? {};
    return [input, { ...(request && { referrer, referrerPolicy }), ...init, headers }, ...more];
  }
  return args;
};

/** What fetch returned may have more than a promise has. What Zone.js adds begins with `__`, and its `then` adds it again. */
const isPromise = (given: unknown): given is Promise<Response> =>
  given instanceof Promise && Object.keys(given).every((key) => key.startsWith('__'));

type AnyFunction = (...args: never[]) => unknown;

/** A proxy has the name, the length and the text of what it stands for. */
const wrap = <Owner extends object>(
  owner: Owner,
  name: keyof Owner,
  apply: (original: AnyFunction, self: never, args: unknown[]) => unknown,
): void => {
  try {
    owner[name] = new Proxy(owner[name] as AnyFunction, { apply }) as Owner[keyof Owner];
  } catch {
    // The page doesn't let it be replaced.
  }
};

const watchFetch = (): void =>
  wrap(self, 'fetch', (original, self, args) => {
    const call: Call = { view: measurable() };
    if (!call.view) return Reflect.apply(original, self, args);
    let sent = args;
    try {
      sent = prepare(args, call);
    } catch {}
    const answer = Reflect.apply(original, self, sent);
    // The page gets the promise that follows: a failure that it doesn't handle reaches it as before.
    return isPromise(answer)
      ? answer.then((response) => {
          try {
            const { url, status, headers } = response;
            report(call, { url, status, timing: headers.get('server-timing') });
          } catch {}
          return response;
        })
      : answer;
  });

interface XhrCall extends Call {
  /** The request's own `traceparent`; set twice it has both. */
  own?: string | undefined;
}

const watchXhr = (): void => {
  const methods = XMLHttpRequest.prototype;
  const { setRequestHeader } = methods;
  const calls = new WeakMap<XMLHttpRequest, XhrCall>();

  /** Headers have arrived, or never will. */
  function heed(this: XMLHttpRequest): void {
    const call = calls.get(this);
    if (this.readyState < 2 || !call?.view) return;
    try {
      // Asked for the one header, browsers complain in the console where they don't let it be read.
      const timing = /^server-timing: *(.*)/im.exec(this.getAllResponseHeaders())?.[1];
      const { responseURL: url, status } = this;
      if (url) report(call, { url, status, timing });
    } catch {}
    call.view = undefined;
  }

  const before = (
    name: 'open' | 'setRequestHeader' | 'send',
    note: (xhr: XMLHttpRequest, args: unknown[]) => void,
  ): void =>
    wrap(methods, name, (original, self, args) => {
      try {
        note(self, args);
      } catch {}
      return Reflect.apply(original, self, args);
    });

  before('open', (xhr, [, address]) => {
    const isText = typeof address === 'string' || address instanceof URL;
    calls.set(xhr, { origin: isText ? originOf(address) : undefined });
  });
  before('setRequestHeader', (xhr, [name, value]) => {
    const call = calls.get(xhr);
    if (call && typeof name === 'string' && /^traceparent$/i.test(name)) call.own = (call.own ?? '') + value;
  });
  before('send', (xhr) => {
    const call = calls.get(xhr) ?? {};
    calls.set(xhr, call);
    call.view = measurable();
    if (!call.view) return;
    if (listed.includes(call.origin)) {
      if (call.own !== undefined) call.traceId = SAMPLED.exec(call.own)?.[1];
      else if (allowing.includes(call.origin)) setRequestHeader.call(xhr, 'traceparent', newContext(call));
    }
    // Again for the same request it adds nothing.
    own('addEventListener').call(xhr, 'readystatechange', heed);
  });
};

/** Called once, when tier 3 is reached. */
export const watchRequests = (): void => {
  listed = originsOf(dataset.origins);
  allowing = originsOf(dataset.propagate);
  watchFetch();
  watchXhr();
};
