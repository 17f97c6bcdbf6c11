/** Calls of the page's `vendor`. Until the tracker has loaded they are kept for it, as the snippet of the README does. */

const q: unknown[] = [];
const held: Record<string, unknown> = { q };
for (const name of ['page', 'track', 'consent', 'visitorId'])
  held[name] = (...given: unknown[]): void => void q.push([name, ...given]);

// An element of the page with that name is no own property.
if (!Object.hasOwn(self, 'vendor')) self.vendor = held as unknown as Vendor;

export const page: Vendor['page'] = (...given) => (self.vendor as Vendor).page(...given);

export const track: Vendor['track'] = (...given) => (self.vendor as Vendor).track(...given);
