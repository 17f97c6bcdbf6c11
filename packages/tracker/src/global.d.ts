/** What the visitor told the page. The tracker never remembers it: tell it on every page. */
type VendorConsent = 'granted' | 'denied';

/** At most 20 keys; strings of at most 512 characters. */
type VendorProps = Record<string, string | number | boolean>;

/** A decimal amount as text, and the ISO 4217 code of its currency. */
interface VendorRevenue {
  amount: string;
  currency: string;
}

/** The page's own doors to the tracker. None throws and none returns anything. */
interface Vendor {
  /** Takes effect on the same page. Withdrawn consent deletes what the tracker stored. */
  consent(value: VendorConsent): void;
  /** A custom event; `name` has 1 to 64 characters. */
  track(name: string, props?: VendorProps, revenue?: VendorRevenue): void;
  /** A page view of the present address; what `data-manual` leaves to the page. */
  page(): void;
  /** Calls made before the script loaded, oldest first. Only the pre-load snippet has it. */
  q?: VendorCall[];
}

type VendorCall = {
  [Name in 'consent' | 'track' | 'page']: [name: Name, ...args: Parameters<Vendor[Name]>];
}['consent' | 'track' | 'page'];

interface Window {
  vendor?: Vendor;
}

interface Navigator {
  readonly globalPrivacyControl?: boolean;
  /** Not in the DOM library any more, still in browsers. Old ones say `yes` or the number 1. */
  readonly doNotTrack?: string | number | null;
}
