import type { PrivacyPolicy } from '../sites/schemas.ts';
import { keptText } from './collected-tiers.ts';
import { FACTS } from './facts.ts';
import type { CollectedTier } from './schemas.ts';
import type { Wording } from './wording.ts';

export interface Notice {
  /** The site's domain. */
  domain: string;
  policy: PrivacyPolicy | null;
  tiers: readonly CollectedTier[];
}

/** The privacy notice as Markdown, ready to paste: headings of levels 2 and 3, lists and a table. */
export function writeNotice({ domain, policy, tiers }: Notice, wording: Wording): string {
  const { sections } = wording;
  const months = policy?.retentionMonths ?? null;
  const parts: [string, ...string[]][] = [
    [sections.who, ...tiers.map((tier) => `**${tier.name}**\n\n${listOf(tier.applies)}`)],
    [sections.what, tableOf(policy, tiers, wording)],
    [sections.never.heading, sections.never.text],
    [sections.personal, listOf(tiers.map(({ name, why }) => `**${name}**: ${why}`)), sections.ownData],
    [sections.browser.heading, `${sections.browser.below} ${sections.browser.consented}`],
    [sections.choices.heading, listOf([...sections.choices.items, sections.choices.withdrawal])],
    [sections.keeping.heading, listOf(sections.keeping.items(months))],
    [sections.processors.heading, sections.processors.text],
    [sections.rights.heading, sections.rights.text],
  ];
  const body = parts.map(([heading, ...texts]) => [`### ${heading}`, ...texts].join('\n\n'));
  return `${[`## ${wording.heading}`, wording.intro(domain), ...body].join('\n\n')}\n`;
}

const listOf = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** One row per fact, with a dot in the column of each tier that stores it. */
function tableOf(policy: PrivacyPolicy | null, tiers: readonly CollectedTier[], wording: Wording): string {
  const { table } = wording.sections;
  const head = [table.what, table.purpose, ...tiers.map(({ name }) => name), table.kept];
  const rows = FACTS.map((fact) => {
    const { what, purpose } = wording.facts[fact.id];
    const dots = tiers.map(({ tier }) => (fact.tiers.includes(tier) ? '●' : ''));
    return [what, purpose, ...dots, keptText(fact, policy, wording)];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
