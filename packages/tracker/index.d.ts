/** What the visitor chose on the page. The tracker never remembers it: pass it on every page load. */
export type Consent = 'granted' | 'denied';

/** At most 20 keys; strings of at most 512 characters. */
export type Props = Record<string, string | number | boolean>;

export interface Revenue {
  /** A decimal number, best as text, so that no digit is lost: `12.34`. */
  amount: string | number;
  /** ISO 4217: `EUR`. */
  currency: string;
}

interface Sending {
  /** The absolute address of a page of the site, instead of the present one. */
  url?: string;
  /** Called once the service has taken it, and never where nothing is sent. Needs the setting `callbacks`. */
  callback?: () => void;
}

export interface PageOptions extends Sending {
  /** Properties of the page view. */
  props?: Props;
}

export interface EventOptions extends Sending {
  /** `false`: the visitor did nothing, so the event ends no bounce. */
  interactive?: boolean;
}

/** What `beforeSend` is given: the fields of docs/tracker-protocol.md#events. */
export interface SentEvent {
  type: 'pageview' | 'event' | 'engagement' | 'vitals' | 'association';
  id: string;
  pageId?: string;
  url?: string;
  name?: string;
  props?: Props;
  [field: string]: unknown;
}

export interface Settings {
  /** The site's id. */
  site: string;
  /** The origin of the service, or of your own proxy for it. */
  api: string;
  /** Sends no page view automatically: call `page()`. */
  manual?: boolean;
  /** Treats `#/…` and `#!/…` as pages. */
  hash?: boolean;
  /** Records clicks on links to other hosts. */
  outbound?: boolean;
  /** Records clicks on links to files; a list of extensions replaces the default list. */
  downloads?: boolean | readonly string[];
  /** Records submitted forms. */
  forms?: boolean;
  /** Paths of pages that send nothing; `*` matches any text, a slash at the end nothing. */
  exclude?: readonly string[];
  /** Sends nothing of a browser in which `ignore()` was called. Reads an entry of storage at every tier. */
  excludeSelf?: boolean;
  /** Properties of every page view. */
  props?: Readonly<Record<string, string>>;
  /** May change an event before it is sent. Without an object in return the event isn't sent. */
  beforeSend?: (event: SentEvent) => unknown;
  /** Calls the `callback` of `track` and `page`. */
  callbacks?: boolean;
  /** Says in the console what is sent, and why something isn't. */
  debug?: boolean;
  /** Origins of your own backends, such as `https://api.example.com`: which of their traces a page asked for, at tier 3 only. */
  origins?: readonly string[];
  /** Those of `origins` that allow pages of this origin to send the header `traceparent`. */
  propagate?: readonly string[];
}

/** Starts the tracker, once per page. On a server this and the other functions do nothing. */
export declare function init(settings: Settings): void;

/** Takes effect on the same page. Withdrawn consent deletes what the tracker stored. */
export declare function consent(value: Consent): void;

/** Records a custom event; `name` has 1 to 64 characters. Calls before `init` are queued. */
export declare function track(
  name: string,
  props?: Props,
  revenue?: Revenue | string,
  options?: EventOptions,
): void;

/** Records a page view of the current address, or of `url`. */
export declare function page(options?: PageOptions): void;

/** The visitor's id at tier 3, which your server may send with events; undefined below and before the tier is known. */
export declare function visitorId(): string | undefined;

/** With the setting `excludeSelf`: nothing of this browser is sent any more; `false`: it is again, from the next page load on. */
export declare function ignore(value?: boolean): void;
