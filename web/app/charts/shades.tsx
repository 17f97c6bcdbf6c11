import { compact } from '../format.ts';

/** Shades that people tell apart. */
const SHADES = 5;

/** The square root keeps small numbers apart, beside a large one. 0 has none. */
export const shadeOf = (weight: number, top: number): number => Math.ceil(SHADES * Math.sqrt(weight / top));

/** What the shades mean that whole numbers up to `top` have. */
export const ShadeKey = ({ top }: { top: number }) => {
  const least = shadeOf(1, top);
  return (
    <>
      1
      {Array.from({ length: SHADES - least + 1 }, (_, more) => (
        <svg key={more} class="shade" viewBox="0 0 20 10" aria-hidden="true">
          <rect class={`shade-${least + more}`} width="20" height="10" />
        </svg>
      ))}
      {top > 1 && compact(top)}
    </>
  );
};
