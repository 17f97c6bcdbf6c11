import type { Token } from 'marked';

/** The text of a Markdown token without its marks. */
export function plainText(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(plainText).join('');
  return 'text' in token ? String(token.text) : '';
}
