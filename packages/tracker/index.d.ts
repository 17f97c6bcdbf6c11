/** What the visitor told the page. The tracker never remembers it: tell it on every page load. */
export type Consent = 'granted' | 'denied';

/** At most 20 keys; strings of at most 512 characters. */
export type Props = Record<string, string | number | boolean>;

export interface Revenue {
  /** A decimal number, best as text, so that no digit is lost: `12.34`. */
  amount: string | number;
  /** ISO 4217: `EUR`. */
  currency: string;
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
}

/** Starts the tracker, once per page. On a server this and the other functions do nothing. */
export declare function init(settings: Settings): void;

/** Takes effect on the same page. Withdrawn consent deletes what the tracker stored. */
export declare function consent(value: Consent): void;

/** Records a custom event; `name` has 1 to 64 characters. Calls before `init` are queued. */
export declare function track(name: string, props?: Props, revenue?: Revenue): void;

/** Records a page view of the current address. */
export declare function page(): void;

/** The visitor's id at tier 3, which your server may send with events; undefined below and before the tier is known. */
export declare function visitorId(): string | undefined;
