/**
 * A JSON parameter as the text that PostgreSQL reads, by the rules of Neon's endpoint: null and strings stay as they are, numbers,
 * booleans and objects become JSON, and an array becomes a PostgreSQL array literal.
 */
export function parameterText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  return Array.isArray(value) ? arrayLiteral(value) : JSON.stringify(value);
}

function arrayLiteral(items: readonly unknown[]): string {
  return `{${items.map(elementText).join(',')}}`;
}

function elementText(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return arrayLiteral(value);
  const json = JSON.stringify(value);
  return typeof value === 'object' ? JSON.stringify(json) : json;
}
