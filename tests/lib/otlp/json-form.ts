const IDS = new Set(['traceId', 'spanId', 'parentSpanId']);
const INTEGERS = new Set(['intValue', 'asInt', 'count', 'zeroCount', 'bucketCounts']);

/** The choices of a sender where OTLP's JSON allows several forms. */
export interface JsonStyle {
  upperCaseIds: boolean;
  numbersWhereExact: boolean;
  unknownFields: boolean;
  nulls: boolean;
}

/** Converts a message from protobufjs's object form to OTLP's JSON. */
export const toOtlpJson = (message: object, style: JsonStyle): string =>
  JSON.stringify(toOtlpObject(message, style));

/** The same before it is text. Members without a value are undefined. */
export const toOtlpObject = (message: object, style: JsonStyle): unknown => convert('', message, style);

function convert(key: string, value: unknown, style: JsonStyle): unknown {
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    if (!IDS.has(key)) return bytes.toString('base64');
    return style.upperCaseIds ? bytes.toString('hex').toUpperCase() : bytes.toString('hex');
  }
  if (Array.isArray(value)) return value.map((item) => convert(key, item, style));
  if (typeof value === 'object' && value !== null) {
    const fields: Record<string, unknown> = style.unknownFields ? { newField: [{ deep: [1] }] } : {};
    // Messages have no members of their own naming, such as `__proto__`.
    for (const [name, member] of Object.entries(value)) {
      const converted = convert(name, member, style);
      fields[name] = style.nulls ? (converted ?? null) : converted;
    }
    return fields;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  const isInteger = INTEGERS.has(key) && typeof value === 'string';
  if (isInteger && style.numbersWhereExact && Number.isSafeInteger(Number(value))) return Number(value);
  return value;
}
