/** Schemas of the reports on what visitors did (docs/reports.md#the-reports). */
import * as v from 'valibot';
import { Count, described, Instant } from '../../fields.ts';
import { withPrevious } from './schemas.ts';

const visitors = described(Count, 'Tiers 2 and 3 only.');
const visits = Count;

const eventFigures = {
  visitors,
  visits: described(visits, 'Visits with the event. Events at tier 1 belong to none.'),
  events: described(Count, 'How often it happened.'),
  revenue: described(
    v.array(
      v.object({
        currency: v.string(),
        amount: described(v.string(), 'Exact sum, as a decimal number.'),
      }),
    ),
    'What it brought, by currency.',
  ),
};

export const CustomEventItem = withPrevious({ name: v.string(), ...eventFigures }, eventFigures);
export type CustomEventItem = v.InferOutput<typeof CustomEventItem>;

const property = {
  key: v.string(),
  value: described(v.nullable(v.string()), 'As text, whatever its type; null in a list of keys.'),
};
const eventProps = { visitors, visits, events: described(Count, 'How often the event brought it.') };

export const EventPropItem = withPrevious({ ...property, ...eventProps }, eventProps);
export type EventPropItem = v.InferOutput<typeof EventPropItem>;

const pageProps = { visitors, visits, pageviews: described(Count, 'How many page views brought it.') };

export const PagePropItem = withPrevious({ ...property, ...pageProps }, pageProps);
export type PagePropItem = v.InferOutput<typeof PagePropItem>;

export const JourneyItem = v.object({
  pages: described(
    v.array(v.string()),
    'Up to 5, in order; one that is shown again at once is not repeated.',
  ),
  visitors,
  visits: described(visits, 'Those that count: a visit continued after consent counted before.'),
  journeys: described(Count, 'Visits with this path, continued ones too.'),
});
export type JourneyItem = v.InferOutput<typeof JourneyItem>;

export const RetentionItem = v.object({
  week: described(Instant, 'Start of the ISO week; of the first one also before the range.'),
  visitors: described(Count, 'Whose first visit ever was in this week.'),
  returned: described(
    v.array(v.nullable(Count)),
    'How many of them came back one week later, two weeks later, and so on. Null: too few to show, in a share’s filtered answer.',
  ),
  cameBack: described(
    v.nullable(Count),
    'How many of them came back in any later week of the range, each once. Null: too few to show.',
  ),
  partial: v.optional(
    v.pipe(
      v.literal(true),
      v.description(
        'The last week of the range isn’t over, or only a part of it lies in the range: the last of `returned`, and `visitors` of that week, are less.',
      ),
    ),
  ),
});
export type RetentionItem = v.InferOutput<typeof RetentionItem>;
