/** Markdown of the content as HTML for a page. */
import { Marked, type Tokens } from 'marked';
import { createHeadingIds } from '../../../lib/content/heading-ids.ts';
import { plainText } from '../../../lib/content/plain-text.ts';

export interface Heading {
  id: string;
  /** Escaped HTML. */
  text: string;
}

export interface RenderedText {
  /** Only elements and attributes that are written here or in marked, none of which the text can add to. */
  html: string;
  /** Of the second level: the parts of the text. */
  headings: Heading[];
}

/**
 * Renders a text. Raw HTML in it is shown as text. `follow` returns the address that a link leads to, or undefined for a link that must
 * not be followed: then its words stand alone. An image is a link to it, named by its alternative text: the page loads nothing from
 * other hosts.
 */
export function renderMarkdown(text: string, follow: (href: string) => string | undefined): RenderedText {
  const headings: Heading[] = [];
  const idOf = createHeadingIds();
  const anchor = (href: string, inner: string): string => {
    const address = follow(href);
    return address === undefined ? inner : `<a href="${escapeAll(address)}">${inner}</a>`;
  };
  const marked = new Marked({
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      html: ({ raw }: Tokens.HTML | Tokens.Tag) => escapeAll(raw),
      text(token: Tokens.Text | Tokens.Escape) {
        return 'tokens' in token && token.tokens !== undefined
          ? this.parser.parseInline(token.tokens)
          : escapeText(token.text);
      },
      heading(token: Tokens.Heading) {
        const plain = plainText(token);
        const id = idOf(plain);
        // The title of the page is its only heading of the first level.
        const level = Math.max(token.depth, 2);
        if (level === 2) headings.push({ id, text: escapeText(plain) });
        return `<h${level} id="${escapeAll(id)}">${this.parser.parseInline(token.tokens)}</h${level}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return anchor(href, this.parser.parseInline(tokens));
      },
      image: ({ href, text: alternative }: Tokens.Image) => anchor(href, escapeText(alternative || href)),
      // Wide code and tables scroll by themselves, also by the keyboard.
      code: ({ text: code }: Tokens.Code) =>
        `<div class="copy"><pre tabindex="0"><code>${escapeAll(code)}</code></pre></div>\n`,
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[]): string =>
          `<tr>${row.map((cell) => this.tablecell(cell)).join('')}</tr>\n`;
        const body = token.rows.map(cells).join('');
        return `<div class="wide" tabindex="0"><table>\n<thead>${cells(token.header)}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
    },
  });
  return { html: marked.parse(text, { async: false }), headings };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const toReference = (character: string): string => ESCAPES[character] ?? '';

const escapeAll = (text: string): string => text.replaceAll(/[&<>"']/g, toReference);

/** Markdown's own text may hold references to characters, such as `&nbsp;`. */
const escapeText = (text: string): string =>
  text.replaceAll(/[<>"']|&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]\w{0,31});)/g, toReference);
