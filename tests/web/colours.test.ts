import { readFileSync } from 'node:fs';
import {
  type Color,
  differenceCiede2000,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  parse,
} from 'culori';
import { expect, test } from 'vitest';

/** Who sees all colours, and the three colour blindnesses in their full form. */
const EYES: Record<string, (colour: Color) => Color | undefined> = {
  all: (colour) => colour,
  protanopia: filterDeficiencyProt(1),
  deuteranopia: filterDeficiencyDeuter(1),
  tritanopia: filterDeficiencyTrit(1),
};
/** Colours that stand side by side and mean different things. */
const SETS = {
  health: ['good', 'warned', 'wrong'],
  tiers: ['tier-0', 'tier-1', 'tier-2', 'tier-3'],
  series: ['series-1', 'series-2', 'series-3', 'series-4', 'series-5'],
};
/** A difference of 2.3 is just seen between two areas that touch. */
const LEAST_DIFFERENCE = 10;

const tokens = readFileSync(new URL('../../web/app/styles/tokens.css', import.meta.url), 'utf8');
const coloursOf = (name: string): string[] => {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
  if (light === undefined || dark === undefined) throw new Error(`tokens.css has no colours of ${name}`);
  return [light, dark];
};

test.each(
  Object.entries(SETS).flatMap(([set, names]) =>
    Object.entries(EYES).flatMap(([eyes, seen]) =>
      ['light', 'dark'].map((scheme, at) => ({ set, names, eyes, seen, scheme, at })),
    ),
  ),
)('colours of $set differ for $eyes eyes in the $scheme scheme', ({ names, seen, at }) => {
  const difference = differenceCiede2000();
  const alike = names.flatMap((one, n) =>
    names.slice(n + 1).flatMap((other) => {
      const [first, second] = [one, other].map((name) => seen(parse(coloursOf(name)[at] as string) as Color));
      const found = first && second ? difference(first, second) : 0;
      return found < LEAST_DIFFERENCE ? [`${one} and ${other}: ${found.toFixed(1)}`] : [];
    }),
  );
  expect(alike).toEqual([]);
});
