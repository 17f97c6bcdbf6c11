/**
 * How numbers are counted, for agents: the rules of docs/counting.md in the words of the tools. A test checks that each section of that
 * page is here.
 */
export const COUNTING = `# How numbers are counted

| | In short |
|---|---|
| Tier | What the visitor's privacy allows: 1 anonymous counts, 2 anonymous sessions of one UTC day, 3 consented |
| Reach of a page | Its visitors, and its page views at tier 1 |
| Visit | At tier 1 a page view that came from elsewhere. At tiers 2 and 3 a session, which ends after 30 minutes without an event, and at tier 2 also at midnight UTC |
| Visitor | A different id at tiers 2 and 3. Tier 1 has none. At tier 2 the same person is another visitor each UTC day |
| Page view | Each load of a page and each in-app navigation to another path, at every tier |
| \`bounceRate\`, \`avgDuration\` | Of consented visits (tier 3) alone; \`measured\` counts them. Null: there is none |

## Visits

A page view at tier 1 whose referrer is a page of the site is no visit. Events that a server sent join the visit of their visitor; without one they
are no visit and no visitor, but goals and revenue count them.

## Continued visits

Consent in the middle of a visit begins a session with a new id. Its page views and its visitor count; a visit, a source, bounce and duration
don't, because the visit was counted before. So there may be more visitors than visits.

## Visitors

Once in the whole range at tier 3, once a UTC day at tier 2. Visitors of days, sources or pages don't add up to those of a range.

## Page views, bounces, duration

A bounce is a visit with one page view at most and no interaction. Duration is from the first event to the last, with reading time after the last page view.

## Where something counts

Visits, visitors, conversions, steps of funnels and journeys count when the visit began. Page views of totals, of series and by \`page\`, and events,
count when they happened. Days are those of the site's time zone; weeks begin on Monday. Today isn't over: changes compare with as much time of the range before.

## Lists

- By \`page\` a visit counts for each page that it shows, so the rows are more than all visits. Each other dimension has one value a visit.
- \`language\`, \`region\`, \`city\` and \`exit_page\` are known at tiers 2 and 3, \`os\` at tier 3. Others are not in these lists, and \`notes\` says how many.
- \`source\`: what the link says (\`utm_source\`, \`ref\`), else the referrer, else \`Direct\`. Visits without a campaign are not in the lists of \`utm_…\`.
- Unknown countries, devices and browsers are \`Unknown\`. \`(other)\` has values beyond the new ones that a site takes in a day.

## Heat map

\`break_down_visits\` by \`weekday\`, \`hour_of_day\` or both: visits that began then, on average of those days or hours since collection began.

## Other values

\`coverage.other\` says of how many events a value counts as \`(other)\`, by kind.

## Channels

As Google's default channel grouping, with AI assistants as a channel of their own. Paid only where the link says so.

## Goals

- A goal is a page pattern or a custom event. \`conversions\` are visits that reached it, once each, also before it was made.
- \`exact\` has counted visits of tiers 2 and 3, those of them that converted, and the rate: tell this one. \`apart\` has conversions of no such
  visit: at tier 1 each page counts by itself, continued visits, and events that a server sent. \`allTiers\` has both.
- \`events\` is how often it was reached; \`revenue\` is the exact sum by currency. Goals happen in browsers and confirm no purchase; outcomes do.
- By a dimension rows have visits of tiers 2 and 3 alone, and what their events brought.

## Funnels

Tiers 2 and 3. A visit takes each step at the time of the step before or later. Visits continued after consent count, so a step may have more
visits than \`exact\` of the same goal. \`share\` is of the first step, \`dropOff\` of the step before.

## Custom events

Each event counts when it happened, a visit once a name. Totals of events and of goals differ at the ends of a range.

## Properties of page views

\`report_events\` with \`of: pages\`: page views by the values that pages set.

## Journeys

Paths of visits at tiers 2 and 3, up to 5 pages, a page that repeats at once is one step. \`journeys\` also has continued visits; \`visits\` doesn't.

## Retention

Tier 3. A visitor belongs to the week of the first visit ever; \`returned\` counts who came in each later week of the range, \`cameBack\` in any, once. Who had come before the
range is in none. \`cut\`: the row's week began before the range or before collection; \`open\`: the last week isn't over.

## Attention and vitals

Tier 3. \`seconds\` and \`scrollDepth\` are means of page views with any engagement; each vital is the 75th percentile of \`measured\` loads. A few loads say little.

## Live

The last 5 minutes.

## What is not counted

\`coverage.dropped\` of \`summarize_site\` counts refused events of whole days: \`bot\`, \`datacenter\` (networks that rent out servers), \`spam\` (referrers),
\`invalid\`, \`hostname\` (not the site's), \`tier\` (more than it may hold). \`properties\`: counted without them. Nothing is known of visitors with Global Privacy
Control or without JavaScript, nor before \`coverage.since\`. \`coverage.observed: false\`: zeros mean nothing.

## Why a number differs

| You see | Because |
|---|---|
| More visitors than visits | Consent in the middle of a visit makes a visitor, and the visit was counted before |
| Fewer visitors than visits | Tier 1 has visits and no visitors; or people came again |
| A list adds up to less than the total | Tiers without the dimension, or visits without a value, are not in it |
| A filter by \`page\` shows other pages too | Filters choose visits, and everything that these did is counted |
| Two ranges don't add up to both | Visitors of both count once |
| Google Analytics has less | It counts only after consent and is blocked more often; other tools also end visits and know visitors otherwise |
| Server logs have more | They have robots and files |
| The payment system has more | A browser that never showed the last page; a script that was blocked. Purchases that a server sends, and outcomes, are complete |
`;
