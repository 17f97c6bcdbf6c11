/** The page's global `vendor`. The scripts of several sites share it: what the page says is said to each of them. */
import { safe } from './safe.ts';

/**
 * Adds the tracker of a site to the page. Returns the calls before it, oldest first; undefined where the site is counted already, or by
 * the script of version 0.2, which has neither `sites` nor a queue.
 */
export const joinPage = (site: string, tracker: Tracker): VendorCall[] | undefined => {
  // An element of the page with that name is no own property.
  const {
    sites = {},
    calls,
    q = calls,
    track,
  }: Partial<Vendor> = (Object.hasOwn(self, 'vendor') && self.vendor) || {};
  if (sites[site] || (track && !q)) return undefined;
  const said = q ?? [];
  const tellAll = (name: VendorCall[0]) =>
    safe((...given: unknown[]): void => {
      // A script that comes later has to know.
      if (name === 'consent') said.push([name, ...given] as VendorCall);
      for (const one of Object.values(sites)) safe(one[name] as (...given: unknown[]) => void)(...given);
    });
  sites[site] = tracker;
  self.vendor = {
    ...tracker,
    sites,
    calls: said,
    page: tellAll('page'),
    track: tellAll('track'),
    consent: tellAll('consent'),
  };
  return said.slice();
};
