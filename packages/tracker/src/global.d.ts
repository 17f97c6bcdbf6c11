/** What the visitor chose on the page. The tracker never remembers it: pass it on every page. */
type VendorConsent = 'granted' | 'denied';

/** At most 20 keys; strings of at most 512 characters. */
type VendorProps = Record<string, string | number | boolean>;

/** A decimal amount, best as text, so that no digit is lost, and the ISO 4217 code of its currency. */
interface VendorRevenue {
  amount: string | number;
  currency: string;
}

interface VendorSending {
  /** The absolute address of a page of the site, instead of the present one. */
  url?: string;
  /** Called when the service has taken it; never where nothing is sent. */
  callback?: () => void;
}

interface VendorPage extends VendorSending {
  props?: VendorProps;
}

interface VendorEvent extends VendorSending {
  /** `false`: the visitor did nothing, so the event ends no bounce. */
  interactive?: boolean;
}

/** The functions that a page may call. None throws. */
interface Vendor {
  /** Takes effect on the same page. Withdrawn consent deletes what the tracker stored. */
  consent(value: VendorConsent): void;
  /** Records a custom event; `name` has 1 to 64 characters. */
  track(name: string, props?: VendorProps, revenue?: VendorRevenue | string, options?: VendorEvent): void;
  /** Records a page view; needed with `data-manual`. */
  page(options?: VendorPage): void;
  /** The visitor's id at tier 3; undefined below, and before the tier is known. */
  visitorId(): string | undefined;
  /** With `data-exclude-self`: nothing of this browser is sent any more; `false`: it is again. */
  ignore?(value?: boolean): void;
  /** The trackers by site, and the calls of which a script that comes later must know. Only scripts of the tracker use them. */
  sites?: Record<string, Tracker>;
  calls?: VendorCall[];
  /** Calls made before the script loaded, oldest first. Only the pre-load snippet sets it. */
  q?: VendorCall[];
}

type Tracker = Pick<Vendor, 'page' | 'track' | 'consent' | 'visitorId'>;

type VendorCall = {
  [Name in 'consent' | 'track' | 'page']: [name: Name, ...args: Parameters<Vendor[Name]>];
}['consent' | 'track' | 'page'];

interface Window {
  vendor?: Vendor;
}

interface Navigator {
  readonly globalPrivacyControl?: boolean;
  /** Removed from the DOM library, but browsers still have it. Old ones return `yes` or the number 1. */
  readonly doNotTrack?: string | number | null;
}

/** Of browsers that have the Navigation API. */
declare const navigation: EventTarget;
