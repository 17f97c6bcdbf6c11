type Call = VendorCall[0];

const call =
  (name: Call) =>
  (...given: unknown[]): void => {
    // An element of the page with that name is no own property.
    if (!Object.hasOwn(self, 'vendor')) self.vendor = holdCalls();
    const run = self.vendor?.[name] as ((...given: unknown[]) => void) | undefined;
    run?.(...given);
  };

/** Keeps calls until the tracker has loaded, as the snippet of the README does. */
const holdCalls = (): Vendor => {
  const q: VendorCall[] = [];
  const hold =
    (name: Call) =>
    (...given: unknown[]): void =>
      void q.push([name, ...given] as VendorCall);
  return {
    q,
    page: hold('page'),
    track: hold('track'),
    consent: hold('consent'),
    visitorId: () => undefined,
  };
};

export const page: Vendor['page'] = call('page');

export const track: Vendor['track'] = call('track');
