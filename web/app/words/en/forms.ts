/** Words of forms and dialogs of every view. */
export const forms = {
  /** Before something that a stranger at an open computer must not do. */
  proof: {
    code: 'Code of the authenticator app, or a backup code',
    password: 'Password',
    note: 'Show once more that it is you. It holds for 10 minutes.',
  },
  /** Who made a share or an ingest key. */
  maker: {
    by: (name: string) => `made by ${name}`,
    left: 'no longer a member',
    unknown: 'maker not known',
  },
  forms: {
    change: (name: string) => `Change ${name}`,
    delete: (name: string) => `Delete ${name}`,
    deleteIt: 'Delete',
    add: 'Add',
    typeToConfirm: (text: string) => `Type “${text}” to confirm`,
    actions: 'Actions',
  },
};
