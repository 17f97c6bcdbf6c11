/** The texts of the pages, in each language. */
import type { ContentType } from '../../../lib/content/catalogue.ts';
import type { Client } from './mcp-client-setup.ts';

/** Limits (docs/content.md#limits-and-origins), in the number format of the language. */
export interface Figures {
  requests: string;
  bodyBytes: string;
  pageCharacters: string;
  results: string;
}

export interface Words {
  title(name: string): string;
  lead(name: string): string;
  languages: string;
  address: string;
  /** Of the button beside a command. */
  copy: string;
  copied: string;
  connect: string;
  connectLead: string;
  clients: Record<Client, string>;
  /** What the examples search for. */
  exampleQuery: string;
  asks: string;
  askTexts(name: string): string[];
  tools: string;
  toolsLead(count: number): string;
  /** By tool name. A tool without an entry shows its own English text. */
  toolTexts: Record<string, string>;
  resources: string;
  resourcesLead: string;
  resourceTexts: Record<'business' | 'services' | 'guides', string>;
  rest: string;
  restLead: string;
  restTexts: Record<'search' | 'detail', string>;
  contents: string;
  contentsLead: string;
  kinds: Record<ContentType, string>;
  guidesAway: string;
  more(count: number): string;
  limits: string;
  limitTexts(figures: Figures): string[];
  programs: string;
  programTexts: Record<'llms' | 'openapi' | 'card' | 'protocol', string>;
  reading: {
    parts: string;
    updated(day: string): string;
    website: string;
    stale: string;
    agents: string;
    /** Before the id. */
    agentsLead: string;
    json: string;
  };
  /** Pages instead of a text. */
  missing: { title: string; text: string };
  away: { title: string; text: string };
  /** Back to the list of all content. */
  all: string;
}
