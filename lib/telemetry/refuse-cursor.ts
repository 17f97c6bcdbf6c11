import { DomainError } from '../errors.ts';

export function refuseCursor(): never {
  throw new DomainError('VALIDATION_ERROR', 'The cursor is not one of ours. Start again without it.', {
    details: [{ path: 'cursor', message: 'must be `nextCursor` of an answer, unchanged' }],
  });
}
