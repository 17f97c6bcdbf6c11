/** What the build looks for in the Markdown of `content/` beyond its form: see content/README.md. */
import { lexer, type Token, type Tokens } from 'marked';
import { createHeadingIds } from '../../lib/content/heading-ids.ts';
import { plainText } from '../../lib/content/plain-text.ts';
import type { Language } from '../../lib/languages.ts';
import type { Fault } from './fault.ts';
import { findWordings, type NameRule } from './find-wordings.ts';

/** A text of a file: a Markdown body, or a field. */
export interface FoundText {
  text: string;
  language: Language;
  /** The path of its page on the website. */
  path: string;
  /** The position of a character. */
  positionOf(index: number): Omit<Fault, 'rule'>;
}

interface Finding {
  index: number;
  rule: string;
}

export interface Link {
  href: string;
  index: number;
}

export interface MarkdownFacts {
  findings: Finding[];
  links: Link[];
  /** Ids of the headings. */
  anchors: ReadonlySet<string>;
}

const NO_ALT = 'is an image without a text for those who can’t see it';
const FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})/;
const CLOSING_FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})\s*$/;
/** `todo` is a word in Spanish and Portuguese. */
const UNFINISHED = /\bTODO\b|\b[Ll](?:orem|OREM) [Ii](?:psum|PSUM)\b/gu;
const IMG_TAG = /<img\b[^>]*>/giu;
const ALT = /\balt\s*=\s*(?:"[^"]*[^"\s][^"]*"|'[^']*[^'\s][^']*'|[^\s"'>]+)/iu;
const TAG_LINK = /\b(?:href|src|action)\s*=\s*(?:"(?<a>[^"]*)"|'(?<b>[^']*)'|(?<c>[^\s"'>]+))/giu;

/** Reads a text as Markdown. `names`: names that are written one way. */
export function readMarkdown(text: string, language: Language, names: readonly NameRule[]): MarkdownFacts {
  const facts = { findings: [] as Finding[], links: [] as Link[], anchors: new Set<string>() };
  const idOf = createHeadingIds();
  for (const { token, index } of allTokens(lexer(text), text)) {
    const found = (rule: string, at = 0) => facts.findings.push({ index: index + at, rule });
    if (token.type === 'heading') facts.anchors.add(idOf(plainText(token)));
    else if (token.type === 'code' && isUnclosed(token.raw)) found('opens a code block that nothing closes');
    else if (token.type === 'image' && token.text.trim() === '') found(NO_ALT);
    else if (token.type === 'html') readTags(token.raw, index, facts);
    if (token.type === 'link' || token.type === 'image' || token.type === 'def')
      facts.links.push({ href: token.href, index });
    if (token.type === 'text' && !hasTokens(token)) {
      for (const { 0: words, index: at } of token.raw.matchAll(UNFINISHED)) found(`still says ${words}`, at);
      for (const { index: at, rule } of findWordings(token.raw, language, names)) found(rule, at);
    }
  }
  return facts;
}

interface TokenPosition {
  token: Token;
  index: number;
}

/** All tokens with their positions. What a list or a quotation indents is at the position of the block around it. */
function* allTokens(tokens: readonly Token[], text: string, start = 0): Generator<TokenPosition> {
  let from = start;
  for (const token of tokens) {
    const found = text.indexOf(token.raw, from);
    const index = found === -1 ? from : found;
    yield { token, index };
    for (const nested of nestedIn(token)) yield* allTokens(nested, text, index);
    if (found !== -1) from = found + token.raw.length;
  }
}

function nestedIn(token: Token): Token[][] {
  if (token.type === 'list') return [(token as Tokens.List).items];
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flat().map((cell) => cell.tokens);
  }
  return hasTokens(token) ? [token.tokens] : [];
}

const hasTokens = (token: Token): token is Token & { tokens: Token[] } =>
  'tokens' in token && token.tokens !== undefined;

function isUnclosed(raw: string): boolean {
  const lines = raw.trimEnd().split('\n');
  const open = FENCE.exec(lines[0] ?? '')?.groups?.mark;
  if (open === undefined) return false;
  const close = lines.length > 1 ? CLOSING_FENCE.exec(lines.at(-1) ?? '')?.groups?.mark : undefined;
  return close === undefined || close[0] !== open[0] || close.length < open.length;
}

function readTags(raw: string, start: number, facts: MarkdownFacts): void {
  for (const { 0: tag, index } of raw.matchAll(IMG_TAG))
    if (!ALT.test(tag)) facts.findings.push({ index: start + index, rule: NO_ALT });
  for (const { groups, index } of raw.matchAll(TAG_LINK))
    facts.links.push({ href: groups?.a ?? groups?.b ?? groups?.c ?? '', index: start + index });
}
