export const forms: typeof import('../en/forms.ts').forms = {
  maker: {
    by: (name) => `por ${name}`,
    left: 'já não é membro',
    unknown: 'autor desconhecido',
  },
  forms: {
    change: (name) => `Alterar ${name}`,
    delete: (name) => `Eliminar ${name}`,
    deleteIt: 'Eliminar',
    add: 'Adicionar',
    typeToConfirm: (text) => `Escreva «${text}» para confirmar`,
    actions: 'Ações',
  },
};
