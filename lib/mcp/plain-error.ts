const INVALID_PARAMS = -32602;
/** The SDK's validator describes faults as a JSON list of objects, which is the message of the error or a part of it. */
const VALIDATOR_WORDS = /^(?:[\w/ ]+: )?\[\n/;
/** Finds a JSON-RPC error. Inside another text its quotes would be escaped. */
const MAY_BE_BAD_PARAMS = /"error":\{"code":-3260[23],/;

interface Answer {
  error?: { message?: unknown };
}

/**
 * Parameters of a wrong shape are the client's fault: -32602 with a plain sentence. The SDK answers most of them with -32603, a fault
 * of the server, and with its validator's text.
 */
export async function withPlainError(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const text = await response.text();
  const { status, headers } = response;
  if (!MAY_BE_BAD_PARAMS.test(text)) return new Response(text, { status, headers });
  const answer = JSON.parse(text) as Answer;
  if (!VALIDATOR_WORDS.test(String(answer.error?.message))) return new Response(text, { status, headers });
  const error = { code: INVALID_PARAMS, message: 'The parameters are not those that this method takes.' };
  return Response.json({ ...answer, error }, { status });
}

/** An error of the SDK for the log, cut at the first colon: the text after it may quote the client. */
export const withoutQuotes = (error: Error): Error => new Error(error.message.split(':', 1)[0]);
