export const forms: typeof import('../en/forms.ts').forms = {
  proof: {
    code: 'Código da aplicação de autenticação, ou um código de reserva',
    password: 'Palavra-passe',
    note: 'Mostre mais uma vez que é a própria pessoa. É válido durante 10 minutos.',
  },
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
