import { CURRENCIES } from './currencies.generated.ts';

const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries(CURRENCIES).flatMap(([decimals, codes]) =>
    codes.split(' ').map((code) => [code, Number(decimals)] as const),
  ),
);

/** How many decimals an amount of a currency may have; undefined for a code in upper case that isn't in ISO 4217. */
export const decimalsOf = (code: string): number | undefined => DECIMALS.get(code);
