import { expect, it } from 'vitest';
import { inBatches } from '../../web/app/api/batches.ts';

/** Waits for everything that promises do without a further task. */
const endOfTask = () => new Promise<void>((resolve) => process.nextTick(resolve));

it('gives the reports of one request each in a task of its own, in the order in which they were asked for', async () => {
  const sent: string[] = [];
  const ask = inBatches(async ({ report }) => {
    sent.push(report);
    return { data: { overview: { data: 1 }, pages: { data: 2 }, sources: { data: 3 } }, meta: {} };
  });
  const came: string[] = [];
  const all = Promise.all(
    ['overview', 'pages:9', 'sources:9'].map(async (report) => {
      const { data } = await ask(report, { period: '30d' }, {});
      came.push(`${report} ${data}`);
      await endOfTask();
      came.push('end of task');
    }),
  );
  await all;
  expect(sent).toEqual(['overview,pages:9,sources:9']);
  expect(came).toEqual([
    'overview 1',
    'end of task',
    'pages:9 2',
    'end of task',
    'sources:9 3',
    'end of task',
  ]);
});

it('sends apart what has another parameter of the same name, or another limit', async () => {
  const sent: object[] = [];
  const ask = inBatches(async (input) => {
    sent.push(input);
    const data = { timeseries: { data: 1 }, pages: { data: 2 }, overview: { data: 3 } };
    return { data, meta: {} };
  });
  await Promise.all([
    ask('timeseries', { period: '7d' }, { by: 'source' }),
    ask('timeseries', { period: '7d' }, { by: 'channel' }),
    ask('pages:9:pageviews', { period: '7d' }, {}),
    ask('pages:5:visits', { period: '7d' }, {}),
    ask('overview', { period: '30d' }, {}),
  ]);
  expect(sent).toEqual([
    { period: '7d', by: 'source', report: 'timeseries,pages:9:pageviews' },
    { period: '7d', by: 'channel', report: 'timeseries' },
    { period: '7d', report: 'pages:5:visits' },
    { period: '30d', report: 'overview' },
  ]);
});
