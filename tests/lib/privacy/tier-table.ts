/**
 * The tier decision of docs/tracker-protocol.md#tier-decision, worked out by hand from its text, without the code.
 *
 * A row has a policy, and for each consent (absent, denied, granted) the answer. `asked`: for visitors whose consent is required, that
 * is, all visitors of `required`, and those from the territories of `regional`. Signals overrule consent: see the columns.
 */
export type Cell = string;

/** `3` is `{maxTier: 3}`, `1d` `{maxTier: 1, cap: 'dnt'}`, `0p` `{maxTier: 0, stop: 'policy'}`, `0pd` both, `0g` GPC's. */
export interface Row {
  policy: string;
  /** The country of the visitor: in a territory of the list, in a country outside of it, or unknown. */
  territory: 'inside' | 'outside' | 'unknown';
  /** No signal: consent absent, denied, granted. */
  plain: [Cell, Cell, Cell];
  /** The same with `DNT: 1`. */
  dnt: [Cell, Cell, Cell];
}

export const TABLE: Row[] = [
  { policy: 'none', territory: 'inside', plain: ['3', '1', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'none', territory: 'outside', plain: ['3', '1', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'none', territory: 'unknown', plain: ['3', '1', '3'], dnt: ['1d', '1d', '1d'] },

  { policy: 'required off', territory: 'inside', plain: ['0p', '0p', '3'], dnt: ['0pd', '0pd', '1d'] },
  { policy: 'required off', territory: 'outside', plain: ['0p', '0p', '3'], dnt: ['0pd', '0pd', '1d'] },
  { policy: 'required off', territory: 'unknown', plain: ['0p', '0p', '3'], dnt: ['0pd', '0pd', '1d'] },
  { policy: 'required counts', territory: 'inside', plain: ['1', '1', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'required counts', territory: 'outside', plain: ['1', '1', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'required counts', territory: 'unknown', plain: ['1', '1', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'required sessions', territory: 'inside', plain: ['2', '2', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'required sessions', territory: 'outside', plain: ['2', '2', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'required sessions', territory: 'unknown', plain: ['2', '2', '3'], dnt: ['1d', '1d', '1d'] },

  { policy: 'regional off', territory: 'inside', plain: ['0p', '0p', '3'], dnt: ['0pd', '0pd', '1d'] },
  { policy: 'regional off', territory: 'outside', plain: ['3', '0p', '3'], dnt: ['1d', '0pd', '1d'] },
  { policy: 'regional off', territory: 'unknown', plain: ['0p', '0p', '3'], dnt: ['0pd', '0pd', '1d'] },
  { policy: 'regional counts', territory: 'inside', plain: ['1', '1', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'regional counts', territory: 'outside', plain: ['3', '1', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'regional counts', territory: 'unknown', plain: ['1', '1', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'regional sessions', territory: 'inside', plain: ['2', '2', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'regional sessions', territory: 'outside', plain: ['3', '2', '3'], dnt: ['1d', '1d', '1d'] },
  { policy: 'regional sessions', territory: 'unknown', plain: ['2', '2', '3'], dnt: ['1d', '1d', '1d'] },
];

/** The answer with `Sec-GPC: 1`, whatever else the request says. */
export const GPC: Cell = '0g';

export const INSIDE = (
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO SJ GP MQ GF RE YT MF AX ' +
  'GB GI JE GG IM CH'
).split(' ');
export const OUTSIDE =
  'US BR JP IN AU CA ZA RS TR UA RU PM BL WF PF NC TF FO GL AW CW SX BQ SM VA MC AD BM KY VG'.split(' ');
export const UNKNOWN = [
  undefined,
  '',
  'XX',
  'T1',
  'A1',
  'A2',
  'EU',
  'AP',
  'UK',
  'EL',
  'us',
  'de',
  'USA',
  'ZZ',
  '  ',
  '__proto__',
];
