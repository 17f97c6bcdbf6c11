import type { Examples } from '../../lib/http/examples.ts';
import { unknownSite } from '../../lib/http/examples.ts';
import type { eventRoutes } from './event-contract.ts';

const VISITOR = '5c2d9b1e-7f40-4a63-8e15-b06f3a9d2c71';
const purchase = {
  id: '9f3b6a52-1c8e-4d07-a2f4-63e0b7d5c918',
  name: 'purchase',
  revenue: { amount: '129.90', currency: 'EUR' },
  props: { plan: 'yearly', seats: 3 },
};
const one = (changes: object): { events: object[] } => ({ events: [{ ...purchase, ...changes }] });

export const eventExamples: Examples<typeof eventRoutes> = {
  sendEvents: [
    {
      summary: 'A purchase of a visitor who consented',
      status: 202,
      body: one({ visitorId: VISITOR, consent: 'granted' }),
      response: { data: { accepted: 1, dropped: 0 } },
    },
    {
      summary: 'Nobody’s: an invoice that was paid, and a contract that was signed',
      status: 202,
      body: {
        events: [
          { ...purchase, name: 'invoice paid' },
          { id: 'e1d40c77-52ab-4f9e-9b36-8a7c0f25d4e3', name: 'contract signed' },
        ],
      },
      response: { data: { accepted: 2, dropped: 0 } },
    },
    {
      summary: 'A page of another host',
      status: 202,
      body: one({ url: 'https://shop.invalid/' }),
      response: { data: { accepted: 0, dropped: 1, reasons: { hostname: 1 } } },
    },
    { summary: 'Longer than a day ago', status: 400, body: one({ occurredAt: '2026-01-01T00:00:00Z' }) },
    { summary: 'No event at all', status: 400, body: { events: [] } },
    {
      summary: 'A number for an amount',
      status: 400,
      body: one({ revenue: { amount: 9, currency: 'EUR' } }),
    },
    { ...unknownSite, body: one({}) },
  ],
};
