import { reading } from '../agent-tool.ts';
import { tellOpened } from '../opened-answer.ts';
import { NameOrId } from '../site-question.ts';

export const getAccess = reading({
  name: 'get_access',
  title: 'What the token opens',
  description: 'Which websites and backends can I ask about? `search`: a name, domain or id.',
  scopes: [],
  entries: { search: NameOrId() },
  run: (ctx, { search }) => tellOpened(ctx, { search }),
});
