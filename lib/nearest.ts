/** Finds what somebody meant by a name that isn't there, among the names that are. Pure. */
import { distance } from 'fastest-levenshtein';

const MAX_NEAREST = 5;

/** The text without accents, in lower case: two texts that differ in these alone are written differently and mean the same. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** How unlike two folded texts are, 0 to 1: the share of letters that differ, less if one has the other in it. */
function unlikeness(asked: string, name: string): number {
  if (asked === name) return 0;
  const [short, long] = asked.length < name.length ? [asked, name] : [name, asked];
  const share = distance(asked, name) / long.length;
  if (short.length > 2 && long.startsWith(short)) return share / 2;
  return short.length > 2 && long.includes(short) ? (share * 2) / 3 : share;
}

type LabelsOf<Name> = (name: Name) => readonly string[];

/** The names, the most alike first. `labelsOf`: the texts that mean a name. */
export function byLikeness<Name>(asked: string, names: readonly Name[], labelsOf: LabelsOf<Name>): Name[] {
  const wanted = fold(asked);
  return names
    .map((name) => ({
      name,
      by: Math.min(...labelsOf(name).map((label) => unlikeness(wanted, fold(label)))),
    }))
    .sort((a, b) => a.by - b.by)
    .map(({ name }) => name);
}

/** The five most alike. */
export const nearest = <Name>(asked: string, names: readonly Name[], labelsOf: LabelsOf<Name>): Name[] =>
  byLikeness(asked, names, labelsOf).slice(0, MAX_NEAREST);
