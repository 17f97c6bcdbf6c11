/** What the visitor told the page. The tracker never remembers it: tell it on every page load. */
export type Consent = 'granted' | 'denied';

/** At most 20 keys; strings of at most 512 characters. */
export type Props = Record<string, string | number | boolean>;

export interface Revenue {
  /** A decimal number: `12.34`. */
  amount: string;
  /** ISO 4217: `EUR`. */
  currency: string;
}

export interface Settings {
  /** The site's id. */
  site: string;
  /** The origin of the service, or of your own proxy for it. */
  api: string;
  /** No page view by itself: call `page()`. */
  manual?: boolean;
  /** `#/…` and `#!/…` are pages. */
  hash?: boolean;
  /** Clicks on links to other hosts. */
  outbound?: boolean;
  /** Clicks on links to files; a list of extensions replaces the usual ones. */
  downloads?: boolean | readonly string[];
  /** Submitted forms. */
  forms?: boolean;
  /** Whole paths, of which nothing is sent; `*` stands for anything. */
  exclude?: readonly string[];
}

/** Begins, once a page. On a server it does nothing, nor do the others. */
export declare function init(settings: Settings): void;

/** Takes effect on the same page. Withdrawn consent deletes what the tracker stored. */
export declare function consent(value: Consent): void;

/** A custom event; `name` has 1 to 64 characters. Calls before `init` are made up for. */
export declare function track(name: string, props?: Props, revenue?: Revenue): void;

/** A page view of the present address. */
export declare function page(): void;
