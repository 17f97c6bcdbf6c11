import { money } from '../../format.ts';

/** Sums by currency, one a line: they are never added up. */
export const Revenue = ({ sums }: { sums: readonly { currency: string; amount: string }[] }) => (
  <>
    {sums.map(({ currency, amount }) => (
      <div key={currency}>{money(amount, currency)}</div>
    ))}
    {sums.length === 0 && <span class="soft">–</span>}
  </>
);
