import type { OutcomeError as Shape } from '../../index.d.ts';

export class OutcomeError extends Error implements Shape {
  override readonly name = 'OutcomeError';
  readonly code: Shape['code'];

  constructor(code: Shape['code'], message: string) {
    super(message);
    this.code = code;
  }
}
