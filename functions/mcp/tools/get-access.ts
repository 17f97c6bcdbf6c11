import { reading } from '../agent-tool.ts';
import { tellPlaces } from '../opened-answer.ts';
import { Place } from '../site-question.ts';

export const getAccess = reading({
  name: 'get_access',
  title: 'What the token opens',
  description:
    'Which websites and backends can I ask about, with which scopes? Sites (id, domain, time zone) and environments. `search`: a name, domain or id.',
  scopes: [],
  entries: { search: Place() },
  run: (ctx, { search }) => tellPlaces(ctx, { search }),
});
