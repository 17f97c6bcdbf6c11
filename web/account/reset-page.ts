import { ask } from './ask.ts';
import { onSubmit } from './forms.ts';
import { forgetFragment, fragment, isSecret, show } from './page.ts';

/** `/reset-password#<token>`. Only the form uses up the token; opening the page doesn't. */
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
