/** Words of forms and dialogs of every view. */
export const forms = {
  forms: {
    change: (name: string) => `Change ${name}`,
    delete: (name: string) => `Delete ${name}`,
    deleteIt: 'Delete',
    add: 'Add',
    typeToConfirm: (text: string) => `Type “${text}” to confirm`,
    actions: 'Actions',
  },
};
