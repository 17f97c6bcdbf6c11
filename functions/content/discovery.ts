/**
 * How programs find the MCP server (SEP-2127, Final, extensions track): a server card beside the endpoint, and an AI Catalog at the
 * well-known address that links to the card.
 */
import { SERVER_NAME, VERSION } from './about.ts';
import type { Links } from './content-links.ts';

export const CARD_TYPE = 'application/mcp-server-card+json';
export const CATALOG_TYPE = 'application/ai-catalog+json';

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
/** The protocol versions that our tests use; the SDK accepts older ones too. */
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25'];
const MAX_TEXT_LENGTH = 100;

interface Publisher {
  name: string;
  website: string;
}

/** The card tells where and how to connect. `tools/list` and similar methods tell what the server offers. */
export const serverCard = ({ name, website }: Publisher, links: Links) => ({
  $schema: CARD_SCHEMA,
  name: `${domainOf(website).split('.').reverse().join('.')}/${SERVER_NAME}`,
  title: cut(`${name}: public content`),
  description: cut(`Read-only: guides, services, case studies, products and facts of ${name}.`),
  version: VERSION,
  websiteUrl: website,
  remotes: [{ type: 'streamable-http', url: links.mcp, supportedProtocolVersions: PROTOCOL_VERSIONS }],
});

export const aiCatalog = ({ website }: Publisher, links: Links) => ({
  specVersion: '1.0',
  entries: [
    { identifier: `urn:air:${domainOf(website)}:mcp:${SERVER_NAME}`, type: CARD_TYPE, url: links.card },
  ],
});

const domainOf = (website: string): string => new URL(website).hostname.replace(/^www\./, '');

/** Cuts a text to the maximum length in the card's schema. */
const cut = (text: string): string => [...text].slice(0, MAX_TEXT_LENGTH).join('');
