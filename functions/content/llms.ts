/** `/llms.txt` (llmstxt.org): a heading, a summary and sections of links, for a model that doesn't know the service yet. */
import { CONTENT_TYPES, type ContentItem, type ContentType } from '../../lib/content/catalogue.ts';
import type { ContentContext } from '../../lib/content/content-context.ts';
import { listContent } from '../../lib/content/list-content.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import type { Tool } from '../../lib/mcp/tool.ts';
import type { Links } from './content-links.ts';

/** Maximum links per kind and language. A search finds the rest. */
export const MAX_LINKS = 100;

const SECTIONS: Record<ContentType, string> = {
  service: 'Services',
  'case-study': 'Case studies',
  product: 'Products',
  business: 'Business facts',
  guide: 'Guides',
};

export interface LlmsText {
  text: string;
  /** False if guides could not be read, so that the text is incomplete. */
  whole: boolean;
}

export async function renderLlmsText(
  ctx: ContentContext,
  tools: readonly Tool<ContentContext>[],
  links: Links,
): Promise<LlmsText> {
  const { name, website } = ctx.catalogue.publisher;
  const { items, whole } = await listContent(ctx);
  const blocks = [
    `# ${name}: public content`,
    `> Read-only service with the public guides, services, case studies, products and business facts of ${name}, in English (en), Spanish (es) and European Portuguese (pt-PT). No account and no key; at most 60 requests a minute.`,
    'Agents connect by the Model Context Protocol (Streamable HTTP, stateless); programs may use REST, which answers the same JSON. The links below lead to the REST detail of each item: a page of its Markdown `text` with up to 20,000 characters. If `nextCursor` is not null, repeat the request with it as `cursor`.',
    section('Connect', [
      `- [MCP endpoint](${links.mcp}): POST JSON-RPC messages here`,
      `- [Search](${links.search}?query=accessibility&language=en): REST; \`query\`, \`type\`, \`language\`, \`limit\`, \`cursor\`, all optional`,
      `- [OpenAPI document](${links.openapi}): the REST endpoints in full`,
      `- [For people](${links.base}/): how to connect common agents`,
      `- [Website](${website}): ${oneLine(name)}`,
    ]),
    section(
      'Tools',
      tools.map(({ name, description }) => `- \`${name}\`: ${oneLine(description)}`),
    ),
    ...CONTENT_TYPES.map((type) => sectionOf(type, items, whole, links)),
  ];
  return { text: `${blocks.join('\n\n')}\n`, whole };
}

function sectionOf(type: ContentType, items: readonly ContentItem[], whole: boolean, links: Links): string {
  if (type === 'guide' && !whole) {
    return section(SECTIONS.guide, ['Guides are out of reach for the moment. Ask again later for them.']);
  }
  const lines = LANGUAGES.flatMap((language) => {
    const all = items.filter((item) => item.type === type && item.language === language);
    const shown = all.slice(0, MAX_LINKS).map((item) => lineOf(item, links));
    const rest = all.length - shown.length;
    const more = `- [${rest} more (${language})](${links.search}?type=${type}&language=${language}): by search`;
    return rest > 0 ? [...shown, more] : shown;
  });
  return section(SECTIONS[type], lines);
}

const section = (title: string, lines: readonly string[]): string => `## ${title}\n\n${lines.join('\n')}`;

const lineOf = (item: ContentItem, links: Links): string =>
  `- [${label(item.title)} (${item.language})](${links.detail(item)}): ${oneLine(item.description)}`;

/** Escapes brackets, which would end the link. */
const label = (title: string): string => oneLine(title).replaceAll(/[\\[\]]/g, '\\$&');

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
