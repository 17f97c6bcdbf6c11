/** The cost of a million page views at list prices, from `cost/bill-inputs.ts`. `docs/cost.md` explains it. */
import type { Benchmark } from './benchmark.ts';
import { atList, billed, billOf, type Item } from './cost/bill.ts';
import { type Inputs, withInputs } from './cost/bill-inputs.ts';
import { printTable, whole } from './print-table.ts';

const MILLION = 1e6;
const VOLUMES = [1, 10, 100].map((millions) => millions * MILLION);

/** Alternatives, and the chosen configuration. */
const VARIANTS: readonly { what: string; inputs: Partial<Inputs> }[] = [
  { what: 'as it is', inputs: {} },
  {
    what: 'were Redis asked for each request',
    inputs: { requestsToBook: 1, requestsABooking: 1, commandsABooking: 2 },
  },
  { what: 'were all of it queued', inputs: { queuedShare: 1 } },
  { what: 'were a quarter of it queued', inputs: { queuedShare: 0.25 } },
  { what: 'were none of it queued', inputs: { queuedShare: 0 } },
  { what: 'batches gather for 5 s', inputs: { batchSeconds: 5 } },
  { what: 'without a zone: the gateway passes tracker.js on', inputs: { scriptCallsAPageView: 0.48 } },
  { what: 'visits kept for 13 months', inputs: { retentionMonths: 13 } },
];

export const cost: Benchmark = {
  name: 'cost',
  summary: 'dollars for a million page views at list prices; --set name=value for other inputs',
  calculates: true,
  run: async (options) => {
    const inputs = withInputs(options.inputs);
    reportItems(inputs);
    reportVariants(inputs);
  },
};

function reportItems(inputs: Inputs): void {
  const items = billOf(inputs);
  const millions = inputs.pageViews / MILLION;
  const sum = (of: (item: Item) => number): number => items.reduce((total, item) => total + of(item), 0);
  printTable(
    `A month of ${whole(inputs.pageViews)} page views, kept for ${inputs.retentionMonths} months`,
    [
      ...items.map((item) => ({
        what: item.what,
        figure: dollars(atList(item)),
        baseline: `${amount(item.quantity)} ${item.unit} at $${item.price}`,
        ratio: dollars(billed(item)),
        aim: note(item),
      })),
      { what: 'Sum', figure: dollars(sum(atList)), ratio: dollars(sum(billed)) },
      {
        what: 'A million page views',
        figure: dollars(sum(atList) / millions),
        ratio: dollars(sum(billed) / millions),
      },
    ],
    { figure: 'at list', baseline: 'arithmetic', ratio: 'billed', aim: 'why' },
  );
}

function reportVariants(inputs: Inputs): void {
  printTable(
    'Dollars for a million page views, by page views a month: at list / billed',
    VARIANTS.map(({ what, inputs: changed }) => {
      const [small = '', medium = '', large = ''] = VOLUMES.map((pageViews) =>
        aMillion({ ...inputs, ...changed, pageViews }),
      );
      return { what, figure: small, ratio: medium, aim: large };
    }),
    { figure: '1 million', ratio: '10 million', aim: '100 million' },
  );
}

function aMillion(inputs: Inputs): string {
  const items = billOf(inputs);
  const share = (of: (item: Item) => number): string =>
    dollars(items.reduce((total, item) => total + of(item), 0) / (inputs.pageViews / MILLION));
  return `${share(atList)} / ${share(billed)}`;
}

function note({ quantity, included, least }: Item): string {
  if (least > quantity) return quantity === 0 ? 'fixed' : `at least ${amount(least)}`;
  return included > 0 ? `${amount(included)} included` : '';
}

const dollars = (value: number): string => value.toFixed(2);
const amount = (value: number): string => String(Number(value.toPrecision(3)));
