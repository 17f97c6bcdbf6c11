import { Link } from 'wouter-preact';
import { backendWords } from '../words/backend.ts';

interface AttributeListProps {
  attributes: Readonly<Record<string, unknown>>;
  /** The address that keeps what has this value; undefined: the value can't be filtered by. */
  hrefOf?: (key: string, value: string) => string;
}

/** The longest value that a filter takes. */
const MOST_CHARS = 256;

/** A value as a filter takes it, and as people read it. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const isSimple = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) &&
  value !== '' &&
  String(value).length <= MOST_CHARS;

/** Attributes by key. A click on a value keeps what has it. */
export const AttributeList = ({ attributes, hrefOf }: AttributeListProps) => (
  <dl class="attributes">
    {Object.entries(attributes)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => {
        const text = valueText(value);
        return (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              {hrefOf && isSimple(value) ? (
                <Link href={hrefOf(key, text)} title={backendWords.filters.only(key, text)}>
                  {text}
                </Link>
              ) : (
                text
              )}
            </dd>
          </div>
        );
      })}
  </dl>
);
