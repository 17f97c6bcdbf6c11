import type { Person } from './schemas.ts';

interface LibraryUser {
  id: string;
  email: string;
  name: string;
  createdAt: Date;
  twoFactorEnabled?: boolean | null | undefined;
}

export const toPerson = ({ id, email, name, createdAt, twoFactorEnabled }: LibraryUser): Person => ({
  id,
  email,
  name,
  secondFactor: twoFactorEnabled === true,
  createdAt: createdAt.toISOString(),
});
