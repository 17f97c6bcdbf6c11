/** How a receiver verifies a message, by language. `WEBHOOK_SECRET` has the secret as it was shown. */
export const SNIPPETS = {
  node: `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const message = webhook.verify(body, headers);`,
  python: `# pip install standardwebhooks
from standardwebhooks.webhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
message = webhook.verify(body, headers)`,
  shell: `key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
printf %s "$WEBHOOK_ID.$WEBHOOK_TIMESTAMP.$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64`,
} as const;
export type SnippetLanguage = keyof typeof SNIPPETS;
