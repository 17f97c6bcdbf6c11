export const forms: typeof import('../en/forms.ts').forms = {
  forms: {
    change: (name) => `Cambiar ${name}`,
    delete: (name) => `Eliminar ${name}`,
    deleteIt: 'Eliminar',
    add: 'Añadir',
    typeToConfirm: (text) => `Escribe «${text}» para confirmar`,
    actions: 'Acciones',
  },
};
