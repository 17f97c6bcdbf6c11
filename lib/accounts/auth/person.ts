import type { Person } from './schemas.ts';

interface LibraryUser {
  id: string;
  email: string;
  name: string;
  createdAt: Date;
  emailVerified: boolean;
  twoFactorEnabled?: boolean | null | undefined;
}

export const toPerson = ({
  id,
  email,
  name,
  createdAt,
  emailVerified,
  twoFactorEnabled,
}: LibraryUser): Person => ({
  id,
  email,
  name,
  emailConfirmed: emailVerified,
  secondFactor: twoFactorEnabled === true,
  createdAt: createdAt.toISOString(),
});
