const INVALID_PARAMS = -32602;
/** The SDK's validator tells what is wrong as a list of objects in JSON, which its errors have for a message, or in it. */
const VALIDATOR_WORDS = /^(?:[\w/ ]+: )?\[\n/;
/** Of an error of JSON-RPC, which is not within another text: there its quotes would be escaped. */
const MAY_BE_BAD_PARAMS = /"error":\{"code":-3260[23],/;

interface Answer {
  error?: { message?: unknown };
}

/**
 * Parameters of a wrong shape are the client's fault (-32602), told in a sentence. The SDK answers most of them as a fault of
 * the server (-32603), with its validator's words.
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

/** An error of the SDK for the log: after the first colon it may quote the client. */
export const withoutQuotes = (error: Error): Error => new Error(error.message.split(':', 1)[0]);
