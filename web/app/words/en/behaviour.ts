import { plural } from '../plural.ts';

const many = plural('en');

/** Live, retention, funnels and journeys. */
export const behaviour = {
  liveView: {
    text: 'Who was there in the last 5 minutes. It is asked again every 5 seconds while you look.',
    visitors: 'Visitors',
    anonymous: 'Anonymous page views',
    anonymousText: 'Page views of people who aren’t told apart: they are in no count of visitors.',
    page: 'Page',
    nobody: 'Nobody at the moment',
  },
  retention: {
    text: 'Of those who came for the first time in a week: how many came again in later weeks. The last 13 weeks.',
    tier: 'Only visitors who consented can be recognised after a day, so only they are counted.',
    unfinished: 'The last figure of each row is of a week that isn’t over.',
    week: 'First week',
    visitors: 'Visitors',
    after: (weeks: number) => `Week +${weeks}`,
    cell: (share: string, count: string) => `${share} (${count})`,
    none: 'No consented visitor came for the first time in these weeks',
  },
  heatmap: {
    text: (zone: string) =>
      `How many visits begin in an hour of the week, on average of all such hours of the period. Times of ${zone}.`,
    busiest: (weekday: string, hour: string) => `The hour in which most visits begin: ${weekday}, ${hour}.`,
    cell: (hour: string, visits: string, hours: string) => `${hour}: ${visits} in ${hours} such hours`,
    visits: (count: number, shown: string) => many(count, shown, 'visit', 'visits'),
  },
  funnels: {
    choose: 'Funnel',
    add: 'Add a funnel',
    none: 'No funnel yet',
    noneText: 'A funnel is the way to a goal in steps. It shows where visits leave it.',
    name: 'Name',
    step: (number: number) => `Step ${number}`,
    addStep: 'Add a step',
    removeStep: (number: number) => `Remove step ${number}`,
    visits: 'Visits',
    share: 'Of the first step',
    dropOff: (share: string) => `${share} left before this step`,
    tier: 'Anonymous counts aren’t in it: nothing ties their page views together.',
    delete: 'Delete the funnel?',
    deleteText: (name: string) => `“${name}” goes. What was collected stays: a new funnel counts it again.`,
    seen: (visits: string) => `${visits} visits in the last 90 days`,
    unseen: 'Not seen in the last 90 days',
  },
  journeys: {
    text: 'The pages of visits in their order, 5 at most. The picture leaves out visits of one page, and rare journeys.',
    path: 'Pages',
    visits: 'Visits',
    journeys: 'Journeys',
    click: 'A click on a page chooses',
    start: 'where journeys begin',
    end: 'where journeys end',
    startsAt: (path: string) => `Begins at ${path}`,
    endsAt: (path: string) => `Ends at ${path}`,
    remove: (shown: string) => `Remove: ${shown}`,
    none: 'No journey fits',
  },
};
