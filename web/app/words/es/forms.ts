export const forms: typeof import('../en/forms.ts').forms = {
  maker: {
    by: (name) => `por ${name}`,
    left: 'ya no es miembro',
    unknown: 'autor desconocido',
  },
  forms: {
    change: (name) => `Cambiar ${name}`,
    delete: (name) => `Eliminar ${name}`,
    deleteIt: 'Eliminar',
    add: 'Añadir',
    typeToConfirm: (text) => `Escribe «${text}» para confirmar`,
    actions: 'Acciones',
  },
};
