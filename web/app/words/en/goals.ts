/** Goals, funnels and custom events. */
export const goals = {
  goals: {
    add: 'Add a goal',
    name: 'Name',
    conversions: 'Visits',
    rate: 'Rate',
    times: 'Times',
    revenue: 'Revenue',
    delete: 'Delete the goal?',
    deleteText: (name: string) =>
      `“${name}” goes from the reports. What was collected stays: a new goal counts it again.`,
    notReached: 'Not reached in this period',
    approximate: {
      anonymousCounts: 'Anonymous counts are in it: one person may count once for each page.',
      continuations: 'Some visitors consented in the middle of a visit. Their visit may count twice.',
      serverEvents: 'Some events came from your server and belong to no visit.',
    },
  },
  targets: {
    label: 'Reached by',
    event: 'An event',
    page: 'A page',
    eventName: 'Name of the event',
    pagePattern: 'Path of the page',
    patternNote: '/blog/* is one part more, /blog/** is everything below.',
    eventNote: 'As your page or server sends it.',
    ofEvent: (name: string) => `Event ${name}`,
    ofPage: (path: string) => `Page ${path}`,
  },
  events: {
    none: 'No event in this period',
    noneText: "A page sends an event with vendor.track('name'), a server with the events API.",
    name: 'Event',
    times: 'Times',
    revenue: 'Revenue',
    open: (name: string) => `Properties of ${name}`,
    ofPages: 'Properties of page views',
    property: 'Property',
    value: 'Value',
    noProperties: 'This event came without properties in this period.',
    unset: '(not set)',
  },
};
