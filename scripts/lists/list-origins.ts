/** The origins of the public lists. To update, enter a newer commit and run `npm run lists`, which prints the new checksums. */
export interface Origin {
  /** The repository on GitHub. */
  repository: string;
  commit: string;
  /** The date of the commit. */
  date: string;
  licence: string;
  files: readonly { name: string; sha256: string }[];
}

export const ORIGINS: readonly Origin[] = [
  {
    repository: 'matomo-org/searchengine-and-social-list',
    commit: '3b3a82dc83cd146abe17aafe31254de1c25f7844',
    date: '2026-07-15',
    licence: 'CC0-1.0',
    files: [
      {
        name: 'SearchEngines.yml',
        sha256: '69333cd3859e132d9836058a27e36d408f796a45fb3952b5e7e4bfb2e9aacaa4',
      },
      {
        name: 'Socials.yml',
        sha256: '2e9c40cac1e3a976cad8101e0892895a6b865618930018633c9f08a4b2f3cb51',
      },
      {
        name: 'AIAssistants.yml',
        sha256: 'd4713bb4905e61eed35b89f29fe3808d0464cd269c48f9d37a1d3ee86a078ab5',
      },
    ],
  },
  {
    repository: 'matomo-org/referrer-spam-list',
    commit: 'b1c66b3cbbd8fe243ff028a8932788da187b9934',
    date: '2026-08-20',
    licence: 'CC0-1.0 (public domain)',
    files: [
      {
        name: 'spammers.txt',
        sha256: '29b112ca48f531e3ef03b9edff9f072c95a8050fa940fe5f4e3a244e9b915a47',
      },
    ],
  },
];
