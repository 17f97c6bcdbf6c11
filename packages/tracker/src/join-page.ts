/** The page's global `vendor`. The scripts of several sites share it: what the page says is said to each of them. */
import { safe } from './safe.ts';

/** What is there before this script. An element of the page with that name is no own property. */
const findVendor = safe(
  (): Partial<Vendor> | false | undefined => Object.hasOwn(self, 'vendor') && self.vendor,
);

/**
 * Adds the tracker of a site to the page. Returns the calls before it, oldest first; undefined where the site is counted already, or by
 * the script of version 0.2, which has neither `sites` nor a queue.
 */
export const joinPage = (site = '', tracker: Tracker): VendorCall[] | undefined => {
  const { sites = {}, calls, q = calls, track } = findVendor() || {};
  if (sites[site] || (track && !q)) return undefined;
  const said = q ?? [];
  sites[site] = tracker;
  const vendor: Record<string, unknown> = { sites, calls: said };
  for (const name in tracker)
    vendor[name] = safe((...given: unknown[]) => {
      // A script that comes later has to know.
      if (name === 'consent') said.push([name, ...given] as VendorCall);
      return Object.values(sites)
        .map((one) => (one[name as keyof Tracker] as (...given: unknown[]) => unknown)(...given))
        .pop();
    });
  self.vendor = vendor as unknown as Vendor;
  return said.slice();
};
