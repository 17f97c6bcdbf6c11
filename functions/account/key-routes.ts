import { createApiKey, listApiKeys, revokeApiKey } from '../../lib/accounts/api-keys.ts';
import { createQueryToken, listQueryTokens, revokeQueryToken } from '../../lib/accounts/query-tokens.ts';
import { NewApiKey, NewQueryToken } from '../../lib/accounts/schemas.ts';
import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import { joinProject } from '../../lib/projects/join-project.ts';
import { previewInvitation } from '../../lib/projects/preview-invitation.ts';
import { HeldInvitation } from '../../lib/projects/schemas.ts';
import type { AccountApp, Guards } from './guards.ts';
import { contextOf } from './resources.ts';

/** What belongs to a person: their API keys, their query tokens, and the invitations that they hold. */
export function addKeyRoutes(app: AccountApp, { gate, limit, limitAddress }: Guards) {
  return app
    .get('/api/v1/account/api-keys', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listApiKeys(contextOf(c)) });
    })
    .post('/api/v1/account/api-keys', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await createApiKey(contextOf(c), await readJson(c, NewApiKey)) }, 201);
    })
    .delete('/api/v1/account/api-keys/:apiKeyId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await revokeApiKey(contextOf(c), readId(c, 'apiKeyId', 'API key'));
      return c.body(null, 204);
    })
    .get('/api/v1/account/query-tokens', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listQueryTokens(contextOf(c)) });
    })
    .post('/api/v1/account/query-tokens', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await createQueryToken(contextOf(c), await readJson(c, NewQueryToken)) }, 201);
    })
    .delete('/api/v1/account/query-tokens/:queryTokenId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await revokeQueryToken(contextOf(c), readId(c, 'queryTokenId', 'query token'));
      return c.body(null, 204);
    })
    .post('/api/v1/account/invitations', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await joinProject(contextOf(c), await readJson(c, HeldInvitation)) }, 201);
    })
    .post('/api/v1/account/invitations/preview', limitAddress, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await previewInvitation(c.var.resources, await readJson(c, HeldInvitation)) });
    });
}
