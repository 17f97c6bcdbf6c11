import { ask } from './ask.ts';
import { onSubmit } from './forms.ts';
import { forgetFragment, fragment, isSecret, show } from './page.ts';

/** `/reset-password#<token>`. The token is spent by the form alone, never by opening the page. */
export async function resetPage(): Promise<void> {
  if (!isSecret()) return show('no-token');
  onSubmit('reset', async (values) => {
    const { failure } = await ask('POST', '/api/auth/password/reset', { ...values, token: fragment });
    const isOver = failure?.details.some(({ path }) => path === 'token');
    if (failure && !isOver) return failure;
    show(isOver ? 'over' : 'done');
    forgetFragment();
    return;
  });
  show('reset');
}
